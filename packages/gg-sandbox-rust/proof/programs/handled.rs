fn main() -> Result<(), String> {
    if let Err(error) = gg::files::read_text_file("missing.md", Default::default()) {
        eprintln!("{error:?}");
    }
    gg::views::open_text("handled", "it was").map_err(|error| error.to_string())?;
    Err("another matter".to_owned())
}
