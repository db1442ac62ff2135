async fn fetch() -> u32 {
    7
}

async fn main() {
    println!("{}", fetch().await);
}
