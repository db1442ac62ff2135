//! One file's contents: read once, and hashed and stored as the same bytes.

use super::cache::FileNode;
use super::error::TreeError;
use super::place::Place;
use super::sys::{self, Stamp};
use gg_common::content::ContentKey;
use gg_common::objects::{ObjectError, Objects, StreamError};
use rustix::fd::BorrowedFd;
use std::ffi::CStr;
use std::fs::File;
use std::io::Read;

/// What is held in memory whole; larger files go through it in pieces.
pub(super) const WHOLE_BYTES: u64 = 8 * 1024 * 1024;

/// Stores one file's contents. None where the name no longer stands for a regular file.
pub(super) fn store(
    objects: &Objects,
    dir: BorrowedFd<'_>,
    name: &CStr,
    place: &Place,
) -> Result<Option<FileNode>, TreeError> {
    use rustix::io::Errno;
    let (fd, before, loosened) = match sys::open_file(dir, name) {
        Ok(opened) => opened,
        Err(Errno::NOENT | Errno::LOOP | Errno::INVAL | Errno::NXIO | Errno::ISDIR | Errno::NODEV) => return Ok(None),
        Err(e) => return Err(place.io_child("opening", name, e)),
    };
    let mut file = File::from(fd);
    let stored = |source| TreeError::Object { action: "stored", path: place.child(name), source };
    let (digest, size) = if before.size <= WHOLE_BYTES {
        let mut bytes = Vec::with_capacity(usize::try_from(before.size).unwrap_or(0));
        // No further than it reached when it was opened: a file that grows has an end all the same.
        file.by_ref().take(before.size).read_to_end(&mut bytes).map_err(|e| place.io_child("reading", name, e))?;
        let size = bytes.len() as u64;
        (objects.put_blocking(bytes).map_err(stored)?, size)
    } else {
        objects.put_stream_blocking(&mut file, before.size).map_err(|e| match e {
            StreamError::Object(source) => stored(source),
            StreamError::Changing => TreeError::Changing { path: place.child(name) },
            StreamError::Read(e) | StreamError::Write(e) => place.io_child("reading", name, e),
            e => place.io_child("reading", name, std::io::Error::other(e)),
        })?
    };
    let after = Stamp::of(&rustix::fs::fstat(&file).map_err(|e| place.io_child("reading", name, e))?);
    let stamp = (after == before && size == before.size && loosened.is_none()).then_some(before);
    Ok(Some(FileNode { stamp, mode: before.permissions(), mtime: before.mtime, size, digest }))
}

/// The digest of a file's contents as they are.
pub(super) fn digest(file: &mut File) -> std::io::Result<ContentKey> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(ContentKey::from_bytes(*hasher.finalize().as_bytes())),
            count => hasher.update(&buffer[..count]),
        };
    }
}

/// A directory's manifest, stored.
pub(super) fn store_manifest(objects: &Objects, bytes: Vec<u8>, place: &Place) -> Result<ContentKey, TreeError> {
    let failed = |source: ObjectError| TreeError::Object { action: "stored", path: place.full(), source };
    objects.put_blocking(bytes).map_err(failed)
}
