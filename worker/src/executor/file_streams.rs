//! Streams over files that do their work at once.
//!
//! A stream of WASI's has two ways to write: `blocking-write-and-flush`, which wasmtime-wasi does on the thread that calls
//! it where it is told so, and `write`, which it always hands to a thread of its pool. Which one a program's `write`
//! becomes is its libc's choice. An executor has no second thread and cannot start one, so both must be the first: the
//! streams that files give are wrapped, and are always ready, as files are.

use super::run::Program;
use bytes::Bytes;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::filesystem::types::{ErrorCode, HostDescriptor};
use wasmtime_wasi::p2::{
    DynInputStream, DynOutputStream, FsResult, InputStream, OutputStream, Pollable, StreamError, StreamResult,
};
use wasmtime_wasi::{ResourceTable, async_trait};

/// The interface whose three functions are replaced, in the version that the engine's WASI has.
const FILES: &str = "wasi:filesystem/types@0.2.12";

/// Replaces what gives streams over files in a linker that has WASI already.
pub fn add_to_linker(linker: &mut Linker<Program>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    let mut files = linker.instance(FILES)?;
    type Store<'a> = StoreContextMut<'a, Program>;
    type File = Resource<Descriptor>;
    files.func_wrap("[method]descriptor.read-via-stream", |mut store: Store<'_>, (file, at): (File, u64)| {
        let opened = store.data_mut().filesystem().read_via_stream(file, at);
        Ok((wrapped(store.data_mut().filesystem().table, opened, |inner| Box::new(ReadNow(inner)) as DynInputStream)?,))
    })?;
    files.func_wrap("[method]descriptor.write-via-stream", |mut store: Store<'_>, (file, at): (File, u64)| {
        let opened = store.data_mut().filesystem().write_via_stream(file, at);
        Ok((wrapped(store.data_mut().filesystem().table, opened, |inner| {
            Box::new(WriteNow(inner)) as DynOutputStream
        })?,))
    })?;
    files.func_wrap("[method]descriptor.append-via-stream", |mut store: Store<'_>, (file,): (File,)| {
        let opened = store.data_mut().filesystem().append_via_stream(file);
        Ok((wrapped(store.data_mut().filesystem().table, opened, |inner| {
            Box::new(WriteNow(inner)) as DynOutputStream
        })?,))
    })?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Puts the wrapper of a stream in its place.
fn wrapped<T: Send + 'static>(
    table: &mut ResourceTable,
    opened: FsResult<Resource<T>>,
    wrap: impl FnOnce(T) -> T,
) -> wasmtime::Result<Result<Resource<T>, ErrorCode>> {
    match opened {
        Ok(stream) => {
            let inner = table.delete(stream)?;
            Ok(Ok(table.push(wrap(inner))?))
        }
        Err(error) => error.downcast().map(Err),
    }
}

/// What a future gives that never waits.
fn at_once<T>(future: impl Future<Output = StreamResult<T>>) -> StreamResult<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(StreamError::Trap(wasmtime::Error::msg("a file's stream waits"))),
    }
}

struct ReadNow(DynInputStream);

#[async_trait]
impl InputStream for ReadNow {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 { Ok(Bytes::new()) } else { at_once(self.0.blocking_read(size)) }
    }

    async fn cancel(&mut self) {
        self.0.cancel().await;
    }
}

#[async_trait]
impl Pollable for ReadNow {
    async fn ready(&mut self) {}
}

struct WriteNow(DynOutputStream);

#[async_trait]
impl OutputStream for WriteNow {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        at_once(self.0.blocking_write_and_flush(bytes))
    }

    fn flush(&mut self) -> StreamResult<()> {
        self.0.flush()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.0.check_write()
    }

    async fn cancel(&mut self) {
        self.0.cancel().await;
    }
}

#[async_trait]
impl Pollable for WriteNow {
    async fn ready(&mut self) {}
}
