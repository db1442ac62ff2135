use gg::docs::{self, SearchOptions};

fn main() -> Result<(), gg::Failure> {
    for words in ["Failure", "program::message", "a failure of the program's own"] {
        for hit in docs::search(words, SearchOptions::default())?.hits {
            assert!(!hit.key.contains("Failure") && hit.key != "program::message", "{}", hit.key);
        }
    }
    for name in ["Failure", "program::message"] {
        if let Err(error) = gg::views::open_docs_view(name) {
            println!("{error}");
        }
    }
    Ok(())
}
