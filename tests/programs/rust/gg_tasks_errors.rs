use gg::core::TextEdit;
use gg::tasks::{self, TaskOptions, TaskPatch};

fn add(id: &str, title: &str, after: &[&str]) -> Result<(), gg::core::ApiError> {
    let blocked_by = after.iter().map(|id| id.to_string()).collect();
    tasks::add_task(id, title, TaskOptions { blocked_by, ..Default::default() }).map(|_| ())
}

fn main() -> Result<(), gg::Failure> {
    add("a", "First", &[])?;
    add("b", "Second", &["a"])?;
    add("c", "Third", &["b"])?;
    let results = [
        add("a", "Again", &[]),
        add("d", "Fourth", &[]),
        add(" ", "Blank", &[]),
        add("e", "two\nlines", &[]),
        tasks::update_task("b", TaskPatch { description: TextEdit::Set("x".repeat(8193)), ..Default::default() }),
        tasks::update_task("bb", TaskPatch::default()),
        tasks::set_blocked_by("a", &["c"]),
        tasks::set_blocked_by("nobody", &[]),
        tasks::complete_task("nobody"),
    ];
    for error in results.into_iter().filter_map(Result::err) {
        println!("{error}");
    }
    tasks::remove_task("a")?;
    tasks::complete_task("a")?;
    Ok(())
}
