use gg::{context, files, programs, session, tasks, views};

fn main() -> Result<(), gg::Failure> {
    let refused = [
        files::read_text_file("README.md", Default::default()).err(),
        views::open_file("README.md", Default::default()).err(),
        tasks::add_task("t", "title", Default::default()).err(),
        context::evict_file_view(None).err(),
    ];
    for error in refused.into_iter().flatten() {
        println!("{error}");
    }
    views::open_text("note", "still shown")?;
    programs::rerun("fn main() { gg::views::open_text(\"rerun\", \"served as well\").unwrap(); }")?;
    session::finish("out of time")?;
    Ok(())
}
