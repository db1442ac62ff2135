use gg::views;

fn main() -> Result<(), gg::Failure> {
    views::open_docs_view("files::read_text_file")?;
    views::open_docs_view("shell::run")?;
    views::open_docs_view("files::read_fil")?;
    Ok(())
}
