use gg::docs::{self, SearchOptions};

fn main() -> Result<(), gg::Failure> {
    for query in [
        "replace text in a file",
        "run a bash command",
        "list a folder",
        "grep",
        "finish the session",
        "show text to the model",
        "earlier programs",
    ] {
        let page = docs::search(query, SearchOptions::default())?;
        println!("{query}: {}", page.hits[0].key);
    }
    Ok(())
}
