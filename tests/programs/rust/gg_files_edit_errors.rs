use gg::files;

fn main() -> Result<(), gg::Failure> {
    for (path, old) in [
        ("data/settings.ini", "value = 3"),
        ("data/settings.ini", "value = 1"),
        ("data/settings.ini", "value  =  1"),
        ("data/settings.ini", ""),
        ("data/crlf.txt", "first\nsecond"),
        ("data/setings.ini", "value"),
    ] {
        match files::edit_file(path, old, "x") {
            Ok(()) => println!("edited"),
            Err(error) => println!("{}: {}", error.code, error.message),
        }
    }
    Ok(files::edit_file("data/settings.ini", "value", "key")?)
}
