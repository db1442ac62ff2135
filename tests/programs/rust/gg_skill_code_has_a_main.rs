fn main() -> Result<(), gg::Failure> {
    gg::skills::read_skill("gg")?;
    gg::programs::rerun("fn main() {\n    println!(\"{}\", _gg::ONE + missing::TWO);\n}\n")?;
    Ok(())
}
