fn main() {
    println!("{} {}", 1);
    println!("{name}", nam = 2);
    struct Plain;
    println!("{}", Plain);
}
