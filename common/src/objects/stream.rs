//! Large objects, of which only a piece is in memory at a time.

use super::{ObjectError, Objects, object_path};
use crate::content::ContentKey;
use bytes::Bytes;
use futures::executor::block_on;
use futures::stream::StreamExt;
use object_store::{GetResultPayload, MultipartUpload, ObjectStoreExt, PutPayload};
use std::io::{self, Read, Seek, Write};

/// What is in memory at a time. Object stores refuse parts below 5 MiB, the last apart.
const PIECE: usize = 8 * 1024 * 1024;
/// How often a source that changes is read anew.
const TRIES: usize = 4;

/// Why a large object could not be stored or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The store.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The source of the bytes.
    #[error("reading failed: {0}")]
    Read(#[source] io::Error),
    /// The destination of the bytes.
    #[error("writing failed: {0}")]
    Write(#[source] io::Error),
    /// The source gave other bytes each time it was read.
    #[error("it changes each time it is read")]
    Changing,
}

impl Objects {
    /// Stores the first `length` bytes of a source, or all where there are fewer, and gives their key and number. The
    /// source is read once to find the key, and again, against the key, if nothing is stored under it.
    pub fn put_stream_blocking<R: Read + Seek>(
        &self,
        source: &mut R,
        length: u64,
    ) -> Result<(ContentKey, u64), StreamError> {
        for _ in 0..TRIES {
            let (key, size) = read_pieces(source, length, |_| Ok(()))?;
            if self.has_blocking(&key)? {
                return Ok((key, size));
            }
            let path = object_path(&key);
            let failed = |e| StreamError::Object(self.store_error("storing the object", key, e));
            let mut upload = block_on(self.store.put_multipart(&path)).map_err(failed)?;
            let sent = read_pieces(source, length, |piece| {
                block_on(upload.put_part(PutPayload::from_bytes(piece))).map_err(failed)
            });
            match sent {
                Ok((again, size)) if again == key => {
                    block_on(upload.complete()).map_err(failed)?;
                    return Ok((key, size));
                }
                sent => {
                    block_on(upload.abort()).map_err(failed)?;
                    sent?;
                }
            }
        }
        Err(StreamError::Changing)
    }

    /// Writes an object to `destination` and gives its length. What is written before an error is not verified: throw it
    /// away then.
    pub fn get_stream_blocking(&self, key: &ContentKey, destination: &mut impl Write) -> Result<u64, StreamError> {
        let failed = |e| match e {
            object_store::Error::NotFound { .. } => ObjectError::Missing { key: *key, place: self.place.clone() },
            e => self.store_error("reading the object", key, e),
        };
        let got = block_on(self.store.get(&object_path(key))).map_err(failed)?;
        let (found, size) = match got.payload {
            GetResultPayload::File(mut file, _) => {
                read_pieces(&mut file, u64::MAX, |piece| destination.write_all(&piece).map_err(StreamError::Write))?
            }
            GetResultPayload::Stream(mut stream) => {
                let mut hasher = blake3::Hasher::new();
                let mut size = 0;
                while let Some(piece) = block_on(stream.next()) {
                    let piece = piece.map_err(failed)?;
                    hasher.update(&piece);
                    size += piece.len() as u64;
                    destination.write_all(&piece).map_err(StreamError::Write)?;
                }
                (ContentKey::from_bytes(*hasher.finalize().as_bytes()), size)
            }
        };
        if found == *key {
            return Ok(size);
        }
        Err(block_on(self.set_aside(key, usize::try_from(size).unwrap_or(usize::MAX))).into())
    }
}

/// Reads from the beginning, a piece at a time, and gives the key and number of the bytes that were read.
fn read_pieces<R: Read + Seek>(
    source: &mut R,
    length: u64,
    mut take: impl FnMut(Bytes) -> Result<(), StreamError>,
) -> Result<(ContentKey, u64), StreamError> {
    source.rewind().map_err(StreamError::Read)?;
    let mut hasher = blake3::Hasher::new();
    let mut size = 0;
    while size < length {
        let wanted = (length - size).min(PIECE as u64);
        let mut piece = Vec::new();
        source.by_ref().take(wanted).read_to_end(&mut piece).map_err(StreamError::Read)?;
        if piece.is_empty() {
            break;
        }
        hasher.update(&piece);
        size += piece.len() as u64;
        take(piece.into())?;
    }
    Ok((ContentKey::from_bytes(*hasher.finalize().as_bytes()), size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Durability;
    use object_store::memory::InMemory;
    use std::io::Cursor;
    use std::sync::Arc;

    fn large() -> Vec<u8> {
        (0..20_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
    }

    #[test]
    fn a_large_object_is_the_same_in_pieces_and_whole() {
        let folder = tempfile::tempdir().expect("tempdir");
        let on_disk = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        for objects in [on_disk, Objects::in_store(Arc::new(InMemory::new()), "memory")] {
            let bytes = large();
            let stored = objects.put_stream_blocking(&mut Cursor::new(&bytes), u64::MAX).expect("put");
            assert_eq!(stored, (ContentKey::of(&bytes), bytes.len() as u64));
            assert_eq!(objects.get_blocking(&stored.0).expect("get"), bytes);
            let mut back = Vec::new();
            assert_eq!(objects.get_stream_blocking(&stored.0, &mut back).expect("get"), bytes.len() as u64);
            assert_eq!(back, bytes);
            let some = objects.put_stream_blocking(&mut Cursor::new(&bytes), 9_000_000).expect("put");
            assert_eq!(some, (ContentKey::of(&bytes[..9_000_000]), 9_000_000));
        }
    }

    #[test]
    fn a_corrupt_large_object_is_set_aside() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let (key, _) = objects.put_stream_blocking(&mut Cursor::new(large()), u64::MAX).expect("put");
        let hex = key.to_string();
        std::fs::write(folder.path().join("objects").join(&hex[..2]).join(&hex[2..]), b"short").expect("corrupt it");
        let error = objects.get_stream_blocking(&key, &mut io::sink()).expect_err("corrupt");
        assert!(matches!(error, StreamError::Object(ObjectError::Corrupt { bytes: 5, .. })), "{error}");
        let error = objects.get_stream_blocking(&key, &mut io::sink()).expect_err("missing");
        assert!(matches!(error, StreamError::Object(ObjectError::Missing { .. })), "{error}");
    }

    /// Gives other bytes each time it is read from the beginning.
    struct Restless {
        turn: u8,
        left: usize,
    }

    impl Read for Restless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.left.min(buffer.len());
            buffer[..count].fill(self.turn);
            self.left -= count;
            Ok(count)
        }
    }

    impl Seek for Restless {
        fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
            *self = Restless { turn: self.turn + 1, left: 100 };
            Ok(0)
        }
    }

    #[test]
    fn a_source_that_never_rests_is_given_up_and_nothing_is_stored() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let error = objects.put_stream_blocking(&mut Restless { turn: 0, left: 0 }, u64::MAX).expect_err("changing");
        assert!(matches!(error, StreamError::Changing), "{error}");
        assert!(!objects.has_blocking(&ContentKey::of(&[1; 100])).expect("has"));
    }
}
