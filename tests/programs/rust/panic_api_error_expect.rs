fn main() {
    let entries = gg::files::list_dir(Some("src")).expect("the sources can be listed");
    println!("{}", entries.len());
}
