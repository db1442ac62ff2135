fn main() -> Result<(), gg::Failure> {
    gg::skills::read_skill("Word tools")?;
    gg::programs::rerun("fn main() {\n    println!(\"{}\", word_tools::first(\"\"));\n}\n")?;
    Ok(())
}
