use gg::files;

fn main() -> Result<(), String> {
    files::edit_file("README.md", "nothing of it", "x").map_err(|error| format!("the edit failed: {error}"))
}
