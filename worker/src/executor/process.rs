//! The executor's own main loop.

use crate::contract::GuestPre;
use crate::executor::engine::{Threads, engine, linker};
use crate::executor::frame::{Kind, Wire};
use crate::executor::protocol::{Assignment, RunRequest};
use crate::executor::run::{Program, run};
use crate::executor::{allocator, clock, confinement, tree_watch};
use gg_common::arm::Arm;
use std::fmt::Display;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use wasmtime::Engine;
use wasmtime::component::Component;

/// The argument that turns a binary into an executor.
pub const ARGUMENT: &str = "executor";

/// Becomes an executor, and does not return, if the process was started as one. Every binary that starts workers calls
/// this first, since executors are started as the same binary again.
pub fn run_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        let code = main();
        drop(std::io::Write::flush(&mut std::io::stderr()));
        std::process::exit(if code == ExitCode::SUCCESS { 0 } else { 1 });
    }
}

fn main() -> ExitCode {
    // Whatever the worker was started with, or opened without care, is none of the program's.
    // SAFETY: nothing in this process has opened anything yet.
    unsafe { libc::close_range(3, libc::c_uint::MAX, 0) };
    // SAFETY: the worker started this process with one end of a socket pair as descriptor 0, which nothing else owns.
    let socket = unsafe { UnixStream::from_raw_fd(0) };
    let guests = match receive_guests(&socket) {
        Ok(guests) => guests,
        Err(error) => {
            eprintln!("executor: it is started by a worker, not by hand ({error})");
            return ExitCode::FAILURE;
        }
    };
    let to_tell = socket.try_clone();
    match serve(Wire::new(socket), guests) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The worker may be gone; then there is nobody to tell.
            if let Ok(socket) = to_tell {
                drop(Wire::new(socket).send(Kind::Failed, error.to_string().as_bytes()));
            }
            eprintln!("executor: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The guests' descriptors arrive before the first frame: the list of arms, with the descriptors beside it.
fn receive_guests(socket: &UnixStream) -> io::Result<Vec<(Arm, OwnedFd)>> {
    let mut payload = [0u8; 256];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(16))];
    let mut control = rustix::net::RecvAncillaryBuffer::new(&mut space);
    let received = rustix::net::recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut payload)],
        &mut control,
        rustix::net::RecvFlags::CMSG_CLOEXEC,
    )?;
    let arms: Vec<Arm> = postcard::from_bytes(&payload[..received.bytes]).map_err(io::Error::other)?;
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let rustix::net::RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    if arms.len() != descriptors.len() {
        return Err(io::Error::other("the guests' descriptors are missing"));
    }
    Ok(arms.into_iter().zip(descriptors).collect())
}

fn explained(what: &'static str) -> impl FnOnce(&dyn Display) -> io::Error {
    move |error| io::Error::other(format!("{what}: {error}"))
}

fn map(engine: &Engine, guests: Vec<(Arm, OwnedFd)>) -> io::Result<Vec<(Arm, GuestPre<Program>)>> {
    let wrong = |e: wasmtime::Error| explained("the engine cannot map a precompiled guest")(&format!("{e:#}"));
    let linker = linker(engine).map_err(wrong)?;
    let mut mapped = Vec::new();
    for (arm, descriptor) in guests {
        // By way of /proc, so that what is mapped is what the worker verified, whatever lies at its path by now.
        let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
        // SAFETY: the worker made the file with this engine, and verified it through this very descriptor.
        let component = unsafe { Component::deserialize_file(engine, path) }.map_err(wrong)?;
        let instance = linker.instantiate_pre(&component).map_err(wrong)?;
        mapped.push((arm, GuestPre::new(instance).map_err(wrong)?));
    }
    Ok(mapped)
}

fn serve(mut wire: Wire, guests: Vec<(Arm, OwnedFd)>) -> io::Result<()> {
    let engine = engine(Threads::One).map_err(|e| explained("the engine does not start")(&format!("{e:#}")))?;
    let guests = map(&engine, guests)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    wire.send(Kind::Ready, &[])?;

    let Some(payload) = expect(&mut wire, Kind::Assign)? else { return Ok(()) };
    let assignment: Assignment = postcard::from_bytes(&payload).map_err(io::Error::other)?;
    // Before the filter, which lets nobody make timers.
    clock::start_epoch_timer(&engine)?;
    let folders = confinement::confine(&assignment).map_err(|e| explained("the executor cannot be confined")(&e))?;
    tree_watch::reserve_descriptors()?;
    allocator::end_on_refusal();
    wire.send(Kind::Confined, &[])?;

    loop {
        let Some(payload) = expect(&mut wire, Kind::Run)? else { return Ok(()) };
        let request: RunRequest = postcard::from_bytes(&payload).map_err(io::Error::other)?;
        let guest = guests.iter().find(|(arm, _)| *arm == request.arm).map(|(_, guest)| guest);
        let guest = guest.ok_or_else(|| io::Error::other(format!("no guest of {} was given", request.arm)))?;
        confinement::clear_temp(&folders)?;
        // The store owns the wire while the program runs: its calls go over it.
        let (done, lent) = runtime.block_on(run(&engine, guest, &request, Some(&folders), Some(wire)));
        wire = lent.ok_or_else(|| io::Error::other("the program's store kept the wire"))?;
        let payload = postcard::to_stdvec(&done).map_err(io::Error::other)?;
        wire.send(Kind::Done, &payload)?;
    }
}

/// The payload of the next frame, which must be of this kind; none if the worker is gone.
fn expect(wire: &mut Wire, kind: Kind) -> io::Result<Option<Vec<u8>>> {
    match wire.receive() {
        Ok((received, payload)) if received == kind => Ok(Some(payload)),
        Ok((received, _)) => Err(io::Error::other(format!("a {received:?} frame came where {kind:?} was due"))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}
