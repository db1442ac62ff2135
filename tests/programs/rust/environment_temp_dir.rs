fn main() -> std::io::Result<()> {
    let path = std::env::temp_dir().join("x.txt");
    std::fs::write(path, "x")
}
