use gg::views;

fn main() -> Result<(), gg::Failure> {
    for name in ["core::ErrorCode", "files::FileRead", "files::ReadOptions", "tasks::TaskPatch", "context"] {
        views::open_docs_view(name)?;
    }
    Ok(())
}
