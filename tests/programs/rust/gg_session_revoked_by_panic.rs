fn main() -> Result<(), gg::Failure> {
    gg::session::finish("done")?;
    panic!("not quite");
}
