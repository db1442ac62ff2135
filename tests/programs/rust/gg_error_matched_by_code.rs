use gg::core::ErrorCode;
use gg::files::{self, ReadOptions};

fn main() -> Result<(), gg::Failure> {
    let notes = match files::read_text_file("notes.md", ReadOptions::default()) {
        Ok(notes) => notes,
        Err(error) if error.code == ErrorCode::NotFound => {
            println!("{error}");
            println!("{error:?}");
            String::from("none yet")
        }
        Err(error) => return Err(error.into()),
    };
    println!("{notes}");
    let error: Box<dyn std::error::Error> = files::list_dir(Some("nowhere")).unwrap_err().into();
    println!("{error}");
    Ok(())
}
