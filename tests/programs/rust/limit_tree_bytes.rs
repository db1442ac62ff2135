use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut file = std::fs::File::create("big.bin")?;
    for _ in 0..100 {
        file.write_all(&[b'x'; 65536])?;
    }
    Ok(())
}
