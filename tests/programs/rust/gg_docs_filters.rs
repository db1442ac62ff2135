use gg::docs::{self, EntryKind, SearchOptions};

fn keys(query: &str, options: SearchOptions) -> Result<Vec<String>, gg::core::ApiError> {
    Ok(docs::search(query, options)?.hits.into_iter().map(|hit| hit.key).collect())
}

fn main() -> Result<(), gg::Failure> {
    let module = Some("files".to_owned());
    let page = docs::search(
        "",
        SearchOptions { module, kind: Some(EntryKind::Operation), limit: Some(2), ..Default::default() },
    )?;
    println!("{} {:?}", page.total, page.hits.iter().map(|hit| &hit.name).collect::<Vec<_>>());
    println!("{:?}", keys("read", SearchOptions { offset: Some(1), limit: Some(1), ..Default::default() })?);
    println!("{}", docs::search("qqqq", SearchOptions::default())?.total);
    println!("{:?}", keys("", SearchOptions { type_name: Some("ShellOutput".into()), ..Default::default() })?);
    println!("{:?}", keys("directory", SearchOptions { kind: Some(EntryKind::Type), ..Default::default() })?);
    for (query, limit) in [("", None), ("read", Some(0)), ("read", Some(101))] {
        match docs::search(query, SearchOptions { limit, ..Default::default() }) {
            Ok(page) => println!("{}", page.total),
            Err(error) => println!("{}: {}", error.code, error.message),
        }
    }
    Ok(())
}
