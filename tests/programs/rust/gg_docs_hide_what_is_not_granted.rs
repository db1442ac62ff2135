use gg::docs::{self, EntryKind, SearchOptions};

fn main() -> Result<(), gg::Failure> {
    let page = docs::search("run a shell command in the tree", SearchOptions { limit: Some(100), ..Default::default() })?;
    println!("{}", page.hits.iter().any(|hit| ["shell", "board", "tasks"].contains(&hit.module.as_str())));
    let page =
        docs::search("write a file", SearchOptions { kind: Some(EntryKind::Operation), ..Default::default() })?;
    println!("{}", page.hits.iter().any(|hit| hit.key.contains("write")));
    Ok(())
}
