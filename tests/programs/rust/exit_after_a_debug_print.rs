fn main() {
    if let Err(error) = gg::files::list_dir(Some("nowhere")) {
        eprintln!("{error:?}");
        std::process::exit(2);
    }
}
