use gg::files::{self, FileRead, ReadOptions};

fn main() -> Result<(), gg::Failure> {
    for (offset, limit) in [(Some(1), Some(1)), (Some(9), Some(5)), (Some(10), Some(1)), (Some(11), Some(1)), (None, Some(2)), (Some(8), None)] {
        if let FileRead::Text(text) = files::read_file("data/ten.txt", ReadOptions { offset, limit })? {
            println!("{offset:?} {limit:?} {:?} {} {} {}", text.contents, text.first_line, text.last_line, text.total_lines);
        }
    }
    println!("{:?}", files::read_file("data/empty.txt", ReadOptions::default())?);
    println!("{:?}", files::read_text_file("data/crlf.txt", ReadOptions { offset: Some(2), ..Default::default() })?);
    files::read_file("data/ten.txt", ReadOptions { offset: Some(0), ..Default::default() })?;
    Ok(())
}
