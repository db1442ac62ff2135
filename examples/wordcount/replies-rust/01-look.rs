// First: what is there? Names and kinds in one view, and the two files that decide how to count.
use gg::files::{self, EntryKind, ReadOptions};
use gg::views;

fn walk(folder: Option<&str>, lines: &mut Vec<String>) -> Result<(), gg::Failure> {
    for entry in files::list_dir(folder)? {
        let path = folder.map_or(entry.name.clone(), |folder| format!("{folder}/{}", entry.name));
        lines.push(format!("{:<9} {path}", format!("{:?}", entry.kind)));
        if entry.kind == EntryKind::Directory {
            walk(Some(&path), lines)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), gg::Failure> {
    let mut lines = Vec::new();
    walk(None, &mut lines)?;
    views::open_text("tree", &lines.join("\n"))?;
    views::open_file(".gitignore", ReadOptions::default())?;
    views::open_file("letters.txt", ReadOptions { limit: Some(4), ..Default::default() })?;
    Ok(())
}
