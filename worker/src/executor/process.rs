//! The executor's own main loop.

use crate::contract::GuestPre;
use crate::executor::clock::monotonic;
use crate::executor::engine::{Threads, engine, linker, turn_engine};
use crate::executor::frame::{Kind, Wire};
use crate::executor::protocol::{Assignment, Done, RunRequest, Runs, Start};
use crate::executor::run::{Program, Runnable, run};
use crate::executor::{allocator, clock, confinement, tree_watch};
use std::fmt::Display;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

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
    allocator::grow_in_large_steps();
    // SAFETY: the worker started this process with one end of a socket pair as descriptor 0, which nothing else owns.
    let socket = unsafe { UnixStream::from_raw_fd(0) };
    let (start, guest) = match receive_guest(&socket) {
        Ok(received) => received,
        Err(error) => {
            eprintln!("executor: it is started by a worker, not by hand ({error})");
            return ExitCode::FAILURE;
        }
    };
    let to_tell = socket.try_clone();
    match serve(Wire::new(socket), &start, guest.as_ref()) {
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

/// The guest's descriptor arrives before the first frame: what to start as, with the descriptor beside it.
fn receive_guest(socket: &UnixStream) -> io::Result<(Start, Option<OwnedFd>)> {
    let mut payload = [0u8; 256];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = rustix::net::RecvAncillaryBuffer::new(&mut space);
    let received = rustix::net::recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut payload)],
        &mut control,
        rustix::net::RecvFlags::CMSG_CLOEXEC,
    )?;
    let start = postcard::from_bytes(&payload[..received.bytes]).map_err(io::Error::other)?;
    let descriptor = control.drain().find_map(|message| match message {
        rustix::net::RecvAncillaryMessage::ScmRights(mut rights) => rights.next(),
        _ => None,
    });
    Ok((start, descriptor))
}

fn explained(what: &'static str) -> impl FnOnce(&dyn Display) -> io::Error {
    move |error| io::Error::other(format!("{what}: {error}"))
}

fn map(engine: &Engine, guest: &OwnedFd) -> io::Result<GuestPre<Program>> {
    let wrong = |e: wasmtime::Error| explained("the engine cannot map a precompiled guest")(&format!("{e:#}"));
    // By way of /proc, so that what is mapped is what the worker verified, whatever lies at its path by now.
    let path = format!("/proc/self/fd/{}", guest.as_raw_fd());
    // SAFETY: the worker made the file with this engine, and verified it through this very descriptor.
    let component = unsafe { Component::deserialize_file(engine, path) }.map_err(wrong)?;
    let instance = linker(engine).and_then(|linker| linker.instantiate_pre(&component)).map_err(wrong)?;
    GuestPre::new(instance).map_err(wrong)
}

/// What programs are run by.
enum Programs {
    /// A prebuilt guest.
    Guest(GuestPre<Program>),
    /// What a component is linked with, once it is compiled.
    Components(Box<Linker<Program>>),
}

impl Programs {
    /// Compiles a component, and links it.
    fn compile(engine: &Engine, linker: &Linker<Program>, component: &[u8]) -> wasmtime::Result<InstancePre<Program>> {
        linker.instantiate_pre(&Component::new(engine, component)?)
    }
}

fn serve(mut wire: Wire, start: &Start, guest: Option<&OwnedFd>) -> io::Result<()> {
    let wrong = |e: wasmtime::Error| explained("the engine does not start")(&format!("{e:#}"));
    let (engine, programs) = match (start.runs, guest) {
        (Runs::Guest, Some(guest)) => {
            let engine = engine(Threads::One, start.wasm_stack_bytes).map_err(wrong)?;
            let guest = map(&engine, guest)?;
            (engine, Programs::Guest(guest))
        }
        (Runs::Guest, None) => return Err(io::Error::other("the guest's descriptor is missing")),
        (Runs::Components(compiler), _) => {
            let engine = turn_engine(compiler, start.wasm_stack_bytes).map_err(wrong)?;
            let linker = linker(&engine).map_err(wrong)?;
            (engine, Programs::Components(Box::new(linker)))
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    wire.send(Kind::Ready, &[])?;

    let Some(payload) = expect(&mut wire, Kind::Assign)? else { return Ok(()) };
    let assignment: Assignment = postcard::from_bytes(&payload).map_err(io::Error::other)?;
    let (arm, wasm_stack_bytes) = (assignment.arm, assignment.wasm_stack_bytes);
    if (arm, wasm_stack_bytes) != (start.arm, start.wasm_stack_bytes) {
        return Err(io::Error::other(format!("an agent of {arm} was assigned to an executor of {}", start.arm)));
    }
    // Before the filter, which lets nobody make timers.
    clock::start_epoch_timer(&engine)?;
    let folders = confinement::confine(&assignment).map_err(|e| explained("the executor cannot be confined")(&e))?;
    tree_watch::reserve_descriptors()?;
    allocator::end_on_refusal();
    wire.send(Kind::Confined, &[])?;

    loop {
        let Some(payload) = expect(&mut wire, Kind::Run)? else { return Ok(()) };
        let request: RunRequest = postcard::from_bytes(&payload).map_err(io::Error::other)?;
        confinement::clear_temp(&folders)?;
        let before = monotonic();
        let compiled = match &programs {
            Programs::Guest(_) => None,
            Programs::Components(linker) => match Programs::compile(&engine, linker, &request.source) {
                Ok(component) => Some(component),
                Err(error) => {
                    let done = Done::unlinkable(&format!("{error:#}"), monotonic() - before);
                    wire.send(Kind::Done, &postcard::to_stdvec(&done).map_err(io::Error::other)?)?;
                    continue;
                }
            },
        };
        let program = match (&programs, &compiled) {
            (Programs::Guest(guest), _) => Runnable::Guest(guest),
            (_, Some(component)) => Runnable::Component(component),
            (_, None) => return Err(io::Error::other("nothing was compiled")),
        };
        let compile = monotonic() - before;
        if compiled.is_some() {
            wire.send(Kind::Compiled, &[])?;
        }
        // The store owns the wire while the program runs: its calls go over it.
        let (mut done, lent) = runtime.block_on(run(&engine, &program, &request, Some(&folders), Some(wire)));
        done.instantiate_ns += u64::try_from(compile.as_nanos()).unwrap_or(u64::MAX);
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
