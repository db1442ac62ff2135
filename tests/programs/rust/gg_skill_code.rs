fn main() -> Result<(), gg::Failure> {
    gg::skills::read_skill("Word tools")?;
    gg::programs::rerun(
        r#"
use word_tools::{Words, count};

fn main() -> Result<(), gg::Failure> {
    let words: Words = word_tools::Words::of("a b c");
    println!("{} {} {:?}", count("a b")?, words.len(), words);
    Ok(())
}
"#,
    )?;
    Ok(())
}
