use gg::files::{self, SearchOptions};

fn main() -> Result<(), gg::Failure> {
    for found in files::search(r"TODO|def \w+", SearchOptions::default())? {
        println!("{}:{}: {}", found.path, found.line, found.text);
    }
    let path = Some("data".to_owned());
    println!("{:?}", files::search("^one$", SearchOptions { path, ..Default::default() })?);
    println!("{}", files::search(".", SearchOptions { limit: Some(3), ..Default::default() })?.len());
    files::search("(unclosed", SearchOptions::default())?;
    Ok(())
}
