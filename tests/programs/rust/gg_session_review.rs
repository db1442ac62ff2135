use gg::session;

fn main() -> Result<(), gg::Failure> {
    session::approve("looks right")?;
    if let Err(error) = session::finish("done") {
        println!("{error}");
    }
    for items in [vec![], vec!["a", " "]] {
        if let Err(error) = session::request_changes(&items) {
            println!("{error}");
        }
    }
    session::request_changes(&["Add a test.".to_owned(), "Fix the typo.".to_owned()])?;
    Ok(())
}
