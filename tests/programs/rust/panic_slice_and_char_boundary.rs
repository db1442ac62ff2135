fn main() {
    let text = "naïve";
    println!("{}", &text[..2]);
    println!("{}", &text[..3]);
}
