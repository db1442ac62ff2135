use gg::core::TextEdit;
use gg::tasks::{self, TaskOptions, TaskPatch, TaskStatus};

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", tasks::add_task("read", "Read the files", TaskOptions::default())?);
    let options =
        TaskOptions { description: Some("Each file apart.".into()), blocked_by: vec!["read".into(), "read".into()] };
    println!("{:?}", tasks::add_task("count", "Count the words", options)?);
    tasks::update_task("read", TaskPatch { status: Some(TaskStatus::InProgress), ..Default::default() })?;
    let patch = TaskPatch { title: Some("Count all words".into()), description: TextEdit::Clear, ..Default::default() };
    tasks::update_task("count", patch)?;
    tasks::complete_task("read")?;
    tasks::set_blocked_by("count", &[])?;
    tasks::set_blocked_by("read", &["count"])?;
    println!("{:?}", tasks::remove_task("count")?);
    tasks::set_blocked_by("read", &[])?;
    Ok(())
}
