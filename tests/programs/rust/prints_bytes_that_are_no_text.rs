use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(b"caf\xe9\n")
}
