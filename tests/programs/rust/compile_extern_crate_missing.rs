extern crate tokio;

#[tokio::main]
async fn main() {
    println!("hello");
}
