//! The engine's native form of the guests, made once with Cranelift and mapped from then on.
//!
//! A `.cwasm` is native code: it lives in a folder that only the user can write, its digest is kept beside it, and it is
//! verified through the very descriptor that executors map.

use crate::executor::engine::{Threads, default_wasm_stack, engine, precompiled_key};
use gg_common::content::ContentKey;
use std::fs::{DirBuilder, File};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why a guest's native form cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrecompileError {
    /// Others can write the folder, and what lies there is native code.
    #[error("the folder {} can be written by others or is not yours: run chmod 700 on it, or choose another cache root", .0.display())]
    Folder(PathBuf),
    /// The file system failed.
    #[error("{action} {} failed: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The engine refused the component.
    #[error("the engine cannot compile {}: {message}; build the arm's artifacts again", path.display())]
    Engine {
        /// The component.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> PrecompileError {
    let path = path.to_owned();
    move |source| PrecompileError::Io { action, path, source }
}

/// A folder of precompiled components.
#[derive(Debug, Clone)]
pub struct Precompiled {
    folder: PathBuf,
}

impl Precompiled {
    /// The folder, which is made if it is missing. Refused if anybody else can write it.
    pub fn open(folder: &Path) -> Result<Precompiled, PrecompileError> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(io("making the folder", folder))?;
        let metadata = folder.metadata().map_err(io("looking at the folder", folder))?;
        // SAFETY: geteuid has no preconditions.
        let me = unsafe { libc::geteuid() };
        if metadata.uid() != me || metadata.permissions().mode() & 0o022 != 0 {
            return Err(PrecompileError::Folder(folder.to_owned()));
        }
        Ok(Precompiled { folder: folder.to_owned() })
    }

    /// The native form of a component as a verified descriptor, compiled first if it is missing or corrupt.
    pub fn get(&self, component: &Path) -> Result<File, PrecompileError> {
        let bytes = std::fs::read(component).map_err(io("reading the component", component))?;
        let broken =
            |e: wasmtime::Error| PrecompileError::Engine { path: component.to_owned(), message: format!("{e:#}") };
        let engine = engine(Threads::Many, default_wasm_stack()).map_err(broken)?;
        let key = precompiled_key(&engine, &ContentKey::of(&bytes));
        let path = self.folder.join(format!("{key}.cwasm"));
        match self.verified(&path) {
            Ok(Some(file)) => return Ok(file),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "a precompiled guest is made again"),
        }
        tracing::info!(component = %component.display(), "compiling the guest once for this machine");
        let native = engine.precompile_component(&bytes).map_err(broken)?;
        self.place(&path, &native)?;
        match self.verified(&path)? {
            Some(file) => Ok(file),
            None => Err(io("reading back", &path)(std::io::ErrorKind::InvalidData.into())),
        }
    }

    /// The descriptor of a file whose digest is as recorded; none if there is no file, or it is corrupt.
    fn verified(&self, path: &Path) -> Result<Option<File>, PrecompileError> {
        let Ok(recorded) = std::fs::read_to_string(path.with_extension("blake3")) else { return Ok(None) };
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io("opening", path)(error)),
        };
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            match file.read(&mut buffer).map_err(io("reading", path))? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            };
        }
        if hasher.finalize().to_hex().as_str() == recorded.trim() {
            return Ok(Some(file));
        }
        tracing::warn!(path = %path.display(), "a precompiled guest is corrupt and is made again");
        Ok(None)
    }

    fn place(&self, path: &Path, native: &[u8]) -> Result<(), PrecompileError> {
        for (path, bytes) in
            [(path.to_owned(), native), (path.with_extension("blake3"), blake3::hash(native).to_hex().as_bytes())]
        {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(io("writing in", &self.folder))?;
            file.write_all(bytes).and_then(|()| file.as_file().sync_data()).map_err(io("writing", &path))?;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o444)).map_err(io("sealing", &path))?;
            file.persist(&path).map_err(|e| io("placing", &path)(e.error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest component there is.
    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    fn component(folder: &Path) -> PathBuf {
        let path = folder.join("guest.wasm");
        std::fs::write(&path, EMPTY).expect("write");
        path
    }

    #[test]
    fn a_component_is_compiled_once_and_a_corrupt_form_is_made_again() {
        let folder = tempfile::tempdir().expect("tempdir");
        let component = component(folder.path());
        let cache = Precompiled::open(&folder.path().join("cache")).expect("open");
        cache.get(&component).expect("compiled");
        let path = std::fs::read_dir(folder.path().join("cache"))
            .expect("list")
            .map(|e| e.expect("entry").path())
            .find(|p| p.extension().is_some_and(|e| e == "cwasm"))
            .expect("placed");
        let first = path.metadata().expect("metadata").ino();
        cache.get(&component).expect("found");
        assert_eq!(path.metadata().expect("metadata").ino(), first, "not compiled again");
        let mut bytes = std::fs::read(&path).expect("read");
        bytes[100] ^= 1;
        std::fs::remove_file(&path).expect("remove");
        std::fs::write(&path, &bytes).expect("corrupt");
        let mut mended = Vec::new();
        cache.get(&component).expect("made again").take(1 << 30).read_to_end(&mut mended).expect("read");
        assert_ne!(std::fs::read(&path).expect("read"), bytes, "the corrupt bytes are gone");
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).expect("chmod");
        let error = Precompiled::open(folder.path()).expect_err("refused").to_string();
        assert!(error.contains("can be written by others"), "{error}");
    }

    #[test]
    fn what_the_engine_refuses_names_the_file() {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = folder.path().join("guest.wasm");
        std::fs::write(&path, b"nonsense").expect("write");
        let cache = Precompiled::open(&folder.path().join("cache")).expect("open");
        let error = cache.get(&path).expect_err("refused").to_string();
        assert!(error.contains("guest.wasm") && error.contains("build the arm's artifacts again"), "{error}");
    }
}
