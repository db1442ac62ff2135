fn main() {
    gg::log("a line of the log");
    println!("another line of the log");
}
