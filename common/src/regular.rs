//! Reading files that people and other programs may have put anything in place of: a named pipe is not waited for, and
//! there is an end to what is read.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What a file of configuration, of a task or of a store may hold at most, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;

/// Opens a regular file for reading; whatever else is there is an error at once.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits();
    let file = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// The bytes of a regular file of at most [`MOST_BYTES`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("it holds more than the {} MiB that are read", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of a regular file of at most [`MOST_BYTES`], in UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is not UTF-8: look at the byte {at}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_is_refused_at_once_and_there_is_an_end() {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = |name: &str| folder.path().join(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .expect("a pipe");
        assert!(read(&path("pipe")).expect_err("a pipe").to_string().contains("no regular file"));
        assert!(read(folder.path()).is_err());
        let large = File::create(path("large")).expect("file");
        large.set_len(MOST_BYTES + 1).expect("a hole");
        assert!(read(&path("large")).expect_err("large").to_string().contains("64 MiB"));
        std::fs::write(path("text"), b"a\xff").expect("write");
        assert!(read_to_string(&path("text")).expect_err("no text").to_string().contains("byte 1"));
        assert_eq!(read(&path("text")).expect("bytes"), b"a\xff");
    }
}
