use gg::memories::{self, CodeOptions};

fn main() -> Result<(), gg::Failure> {
    let none = CodeOptions::default;
    println!("{:?}", memories::create_memory("deploy", "How to deploy", "Push, then tag, then push.", none())?);
    println!("{:?}", memories::edit_memory("deploy", "then tag", "tag")?);
    println!("{}", memories::read_memory("deploy")?);
    let blank = CodeOptions { on_use: Some(" ".into()), ..none() };
    let results = [
        memories::create_memory("deploy", "Again", "x", none()),
        memories::read_memory("deplo").map(|_| unreachable!()),
        memories::edit_memory("deploy", "pull", "x"),
        memories::edit_memory("deploy", ", ", "x"),
        memories::edit_memory("deploy", "", "x"),
        memories::edit_memory("nothing", "a", "b"),
        memories::create_memory("long", &"x".repeat(60), "x", none()),
        memories::create_memory("script", "d", "x", blank),
    ];
    for error in results.into_iter().filter_map(|result| result.err()) {
        println!("{error}");
    }
    println!("{}", memories::delete_memory("deploy")?.count);
    memories::search_memories(&["deploy"])?;
    Ok(())
}
