fn main() {
    println!("{} {}", env!("USER"), env!("SSH_AUTH_SOCK"));
    println!("{}", env!("CARGO_MANIFEST_DIR"));
}
