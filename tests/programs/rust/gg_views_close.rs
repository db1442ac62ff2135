use gg::files::ReadOptions;
use gg::{docs, views};

fn selectors() -> Result<Vec<String>, gg::core::ApiError> {
    Ok(views::current()?.into_iter().map(|view| view.selector).collect())
}

fn main() -> Result<(), gg::Failure> {
    println!("{} {} {}", views::close("note")?, views::close("note")?, views::close("/work/data/ten.txt")?);
    views::open_text("new", "never shown")?;
    views::open_file("README.md", ReadOptions { limit: Some(1), ..Default::default() })?;
    println!("{} {:?}", views::close("new")?, selectors()?);
    println!("{} {:?}", views::close("README.md")?, selectors()?);
    println!("{} {} {}", docs::close("read_file")?, docs::close("nothing")?, docs::close("docs.search")?);
    views::open_docs_view("views::open_text")?;
    println!("{} {}", docs::close_all()?, docs::close_all()?);
    views::open_text("note", "opened again")?;
    views::open_text("gone", "closed by itself")?;
    for view in views::current()? {
        println!("{view:?}");
        if view.selector == "gone" {
            println!("{}", view.close()?);
        }
    }
    Ok(())
}
