use gg::files::ReadOptions;
use gg::{context, views};

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", context::search_archive("swordfish")?);
    println!("{:?}", context::archive_thread(&[1..=1, 1..=2])?);
    println!("{:?}", context::archive_thread(&[2..=2])?);
    for hit in context::search_archive("Swordfish, password")?.hits {
        println!("{hit:?}");
    }
    println!("{:?}", context::evict_file_view(Some("/work/./README.md"))?);
    println!("{:?}", context::evict_file_view(Some("README.md"))?);
    views::open_file("README.md", ReadOptions::default())?;
    println!("{:?}", context::evict_file_view(None)?);
    let left: Vec<String> = views::current()?.into_iter().map(|view| view.selector).collect();
    println!("{left:?}");
    Ok(())
}
