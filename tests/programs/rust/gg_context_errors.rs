use gg::context;

fn main() -> Result<(), gg::Failure> {
    let results = [
        context::archive_thread(&[]).err(),
        context::archive_thread(&[2..=1]).err(),
        context::archive_thread(&[0..=1]).err(),
        context::archive_thread(&[1..=4]).err(),
        context::search_archive(" ?").err(),
        context::evict_file_view(Some("/etc/passwd")).err(),
    ];
    for error in results.into_iter().flatten() {
        println!("{error}");
    }
    context::archive_thread(&[7..=9])?;
    Ok(())
}
