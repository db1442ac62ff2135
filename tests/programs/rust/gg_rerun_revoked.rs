use gg::{memories, programs, session, skills, tasks, views};

fn main() -> Result<(), gg::Failure> {
    programs::rerun("fn main() { println!(\"never\"); }")?;
    session::finish("never")?;
    skills::read_skill("release")?;
    tasks::add_task("kept", "Stands", tasks::TaskOptions::default())?;
    memories::write_memory("kept", "Stands", "x", memories::CodeOptions::default())?;
    views::open_text("kept", "stands")?;
    Err(gg::program::message("too bad"))
}
