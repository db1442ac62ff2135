fn main() {
    let output = gg::shell::run("ls", None).unwrap();
    println!("{}", output.output);
}
