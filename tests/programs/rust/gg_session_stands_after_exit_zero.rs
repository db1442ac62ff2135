fn main() -> Result<(), gg::Failure> {
    gg::session::finish("done")?;
    println!("leaving");
    std::process::exit(0)
}
