fn main() {
    if true {
        println!("a");

fn helper() {
    println!("b");
}
