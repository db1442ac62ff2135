//! One program: a fresh store, an instance, `run`, and how it ended.

use crate::contract::{ApiError, ErrorCode, GuestPre};
use crate::executor::clock::{monotonic, thread_cpu};
use crate::executor::folders::Folders;
use crate::executor::frame::{Kind, Wire};
use crate::executor::limiter::MemoryLimiter;
use crate::executor::output::{Keep, Sink};
use crate::executor::protocol::{Done, End, Failure, RunRequest};
use crate::executor::tree_watch::{self, TreeWatch};
use gg_common::operation::Operation;
use gg_common::profile::TreeAccess;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;
use wasmtime::component::InstancePre;
use wasmtime::{Engine, Store, Trap, UpdateDeadline, WasmBacktrace};
use wasmtime_wasi::p2::pipe::ClosedInputStream;
use wasmtime_wasi::{FsPerms, I32Exit, ResourceTable, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// What a program's store holds.
pub struct Program {
    wasi: WasiCtx,
    table: ResourceTable,
    limiter: MemoryLimiter,
    wire: Option<Wire>,
    watch: Option<TreeWatch>,
    /// CPU time spent in gg calls, which is not the program's.
    call_cpu: Duration,
    /// Wall time for which the program waited on WASI, in nanoseconds: it is the program's.
    waited: Arc<AtomicU64>,
    pub(super) log: Sink,
    pub(super) failure: Option<Failure>,
    pub(super) returned: Option<String>,
}

impl WasiView for Program {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl Program {
    /// Marshals one gg call to the worker and waits for its result. The wait blocks this thread, so that nothing but WASI
    /// is ever pending.
    pub(super) fn call<A: Serialize, T: DeserializeOwned>(
        &mut self,
        operation: Operation,
        args: &A,
    ) -> Result<T, ApiError> {
        let before = thread_cpu();
        let result = self.exchange(operation, args);
        self.call_cpu += thread_cpu().saturating_sub(before);
        result
    }

    fn exchange<A: Serialize, T: DeserializeOwned>(&mut self, operation: Operation, args: &A) -> Result<T, ApiError> {
        let Some(wire) = &mut self.wire else {
            return Err(ApiError {
                operation: operation.id().to_owned(),
                code: ErrorCode::Unavailable,
                message: "no worker serves this program's calls".to_owned(),
            });
        };
        let reply = postcard::to_extend(args, vec![operation as u8])
            .map_err(std::io::Error::other)
            .and_then(|payload| wire.send(Kind::Call, &payload))
            .and_then(|()| wire.receive());
        match reply {
            Ok((Kind::Reply, bytes)) => match postcard::from_bytes::<Result<T, ApiError>>(&bytes) {
                Ok(result) => result,
                Err(error) => give_up(&format!("the reply to {operation} does not read: {error}")),
            },
            Ok((kind, _)) => give_up(&format!("a {kind:?} frame came where the reply to {operation} was due")),
            // The worker is gone, and with it whoever would read how this program ends.
            Err(error) => give_up(&format!("the worker is gone: {error}")),
        }
    }
}

/// Ends the executor: nobody is left to answer to.
fn give_up(reason: &str) -> ! {
    eprintln!("executor: {reason}");
    // Not `exit`: no destructor has anything to save, and a handler could wait on the dead socket.
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(1) }
}

/// A limit that ended the program, on its way through the engine as an error.
#[derive(Debug, Clone, thiserror::Error)]
enum Stop {
    #[error("guest time ran out")]
    GuestTime,
    #[error("the entry `run` of its world is missing, or is another function")]
    NoEntry,
    #[error("the limit {name} was reached")]
    Limit { name: &'static str, value: u64, limit: u64 },
}

/// What is run.
pub enum Runnable<'a> {
    /// A program's bytes, in a guest.
    Guest(&'a GuestPre<Program>),
    /// A component of its own.
    Component(&'a InstancePre<Program>),
}

/// Runs a program to its end. With no wire, calls answer `unavailable` (benchmarks of the bare engine).
pub async fn run(
    engine: &Engine,
    program: &Runnable<'_>,
    request: &RunRequest,
    folders: Option<&Folders>,
    wire: Option<Wire>,
) -> (Done, Option<Wire>) {
    let log = Sink::new(Keep::Head { bound: request.log_bytes as usize });
    let stderr = Sink::new(Keep::HeadAndTail { bound: request.stderr_bytes as usize });
    let waited = Arc::new(AtomicU64::new(0));
    let wasi = match wasi(request, folders, &log, &stderr) {
        Ok(wasi) => wasi,
        Err(error) => give_up(&format!("the program's folders cannot be opened: {error:#}")),
    };
    let watch = folders.map(|folders| TreeWatch::new(folders, request));
    let data = Program {
        wasi,
        table: ResourceTable::new(),
        limiter: MemoryLimiter::new(request.memory_bytes),
        wire,
        watch,
        call_cpu: Duration::ZERO,
        waited: waited.clone(),
        log: log.clone(),
        failure: None,
        returned: None,
    };
    let mut store = Store::new(engine, data);
    store.limiter(|program| &mut program.limiter);
    store.set_hostcall_fuel(request.call_bytes as usize);
    let budget = Duration::from_millis(request.guest_time_ms);
    let started = thread_cpu();
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(move |mut context| {
        let program = context.data_mut();
        if program.wire.as_ref().is_some_and(Wire::is_closed) {
            give_up("the worker is gone");
        }
        let cpu = thread_cpu().saturating_sub(started).saturating_sub(program.call_cpu);
        if cpu + Duration::from_nanos(program.waited.load(Ordering::Relaxed)) > budget {
            return Err(Stop::GuestTime.into());
        }
        if let Some(reached) = program.watch.as_mut().and_then(TreeWatch::look) {
            return Err(Stop::Limit { name: reached.name, value: reached.value, limit: reached.limit }.into());
        }
        Ok(UpdateDeadline::Continue(1))
    });

    let before = monotonic();
    let mut instantiate_ns = 0;
    let outcome = {
        let guest_run = async {
            match program {
                Runnable::Guest(guest) => {
                    let instance = guest.instantiate_async(&mut store).await?;
                    instantiate_ns = (monotonic() - before).as_nanos() as u64;
                    instance.call_run(&mut store, request.arm.program_name(), &request.source, &request.modules).await
                }
                Runnable::Component(component) => {
                    let instance = component.instantiate_async(&mut store).await?;
                    let run = instance
                        .get_typed_func::<(), (Result<(), ()>,)>(&mut store, "run")
                        .map_err(|_| wasmtime::Error::from(Stop::NoEntry))?;
                    instantiate_ns = (monotonic() - before).as_nanos() as u64;
                    Ok(run.call_async(&mut store, ()).await?.0)
                }
            }
        };
        within_budget(guest_run, budget, started, &waited).await
    };
    let guest = thread_cpu().saturating_sub(started).saturating_sub(store.data().call_cpu)
        + Duration::from_nanos(waited.load(Ordering::Relaxed));
    let refused = store.data().limiter.refused();
    let end = match outcome {
        Ok(Ok(())) => End::Completed,
        Ok(Err(())) => End::Failed,
        Err(error) => end_of(&error, refused, request),
    };
    // What a last call wrote may have passed a bound since the last look.
    let end = match store.data_mut().watch.as_mut().and_then(TreeWatch::last_look) {
        Some(reached) => End::Limit { name: reached.name.to_owned(), value: reached.value, limit: reached.limit },
        None => end,
    };
    // The temporary folder's own file system refuses at its bound: what failed the program then is that bound.
    let end = match (end, folders.and_then(|folders| tree_watch::full_temp(folders, request))) {
        (End::Failed, Some(full)) => End::Limit { name: full.name.to_owned(), value: full.value, limit: full.limit },
        (end, _) => end,
    };
    let program = store.into_data();
    let (log, log_dropped) = log.finish();
    let (stderr, _) = stderr.finish();
    let done = Done {
        end,
        failure: program.failure,
        log,
        log_dropped,
        stderr,
        returned: program.returned,
        guest_ns: guest.as_nanos() as u64,
        instantiate_ns,
        memory_peak: program.limiter.peak() as u64,
    };
    (done, program.wire)
}

fn wasi(request: &RunRequest, folders: Option<&Folders>, log: &Sink, stderr: &Sink) -> wasmtime::Result<WasiCtx> {
    let mut wasi = WasiCtxBuilder::new();
    wasi.stdin(ClosedInputStream)
        .stdout(log.clone())
        .stderr(stderr.clone())
        .arg(request.arm.program_name())
        .env("HOME", "/work")
        .env("LANG", "C.UTF-8")
        .env("TMPDIR", "/tmp")
        .allow_tcp(false)
        .allow_udp(false)
        .allow_ip_name_lookup(false)
        // The executor has one thread and nothing else to do meanwhile.
        .allow_blocking_current_thread(true);
    if let Some(folders) = folders {
        match folders.access {
            TreeAccess::None => {}
            TreeAccess::ReadOnly => {
                wasi.preopened_dir(&folders.work, "/work", FsPerms::ReadOnly)?;
            }
            TreeAccess::ReadWrite => {
                wasi.preopened_dir(&folders.work, "/work", FsPerms::ReadWrite)?;
            }
        }
        if folders.access != TreeAccess::None {
            wasi.env("PWD", "/work").initial_cwd("/work");
        }
        wasi.preopened_dir(&folders.temp, "/tmp", FsPerms::ReadWrite)?;
    }
    Ok(wasi.build())
}

/// Polls the program until it ends or its budget does. A poll's CPU time is looked at by the epoch callback; what is
/// looked at here is the time for which the program is pending, on a WASI sleep or poll.
async fn within_budget<T>(
    run: impl Future<Output = wasmtime::Result<T>>,
    budget: Duration,
    started: Duration,
    waited: &AtomicU64,
) -> wasmtime::Result<T> {
    let mut run = std::pin::pin!(run);
    let mut pending_since: Option<Duration> = None;
    let mut timer = std::pin::pin!(tokio::time::sleep(budget));
    std::future::poll_fn(|context| {
        if let Some(since) = pending_since.take() {
            waited.fetch_add((monotonic() - since).as_nanos() as u64, Ordering::Relaxed);
        }
        if let Poll::Ready(result) = run.as_mut().poll(context) {
            return Poll::Ready(result);
        }
        let waited = Duration::from_nanos(waited.load(Ordering::Relaxed));
        // CPU spent in gg calls is counted here as well: it only makes the next look come early.
        let used = thread_cpu().saturating_sub(started) + waited;
        if used >= budget && waited > Duration::ZERO {
            return Poll::Ready(Err(Stop::GuestTime.into()));
        }
        pending_since = Some(monotonic());
        let left = budget.saturating_sub(used).max(Duration::from_millis(1));
        timer.as_mut().reset(tokio::time::Instant::now() + left);
        if timer.as_mut().poll(context).is_ready() {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    })
    .await
}

fn end_of(error: &wasmtime::Error, memory_refused: bool, request: &RunRequest) -> End {
    if let Some(stop) = error.downcast_ref::<Stop>() {
        return match stop {
            Stop::GuestTime => End::GuestTime,
            Stop::NoEntry => End::Unlinkable(stop.to_string()),
            Stop::Limit { name, value, limit } => End::Limit { name: (*name).to_owned(), value: *value, limit: *limit },
        };
    }
    if let Some(I32Exit(status)) = error.downcast_ref::<I32Exit>() {
        return if *status == 0 { End::Completed } else { End::Exit(*status) };
    }
    let trap = error.downcast_ref::<Trap>();
    if trap == Some(&Trap::StackOverflow) {
        return End::StackOverflow;
    }
    if memory_refused {
        return End::OutOfMemory;
    }
    let text = format!("{error:#}");
    // The engine has no type for it: its sentence is the only sign.
    if trap.is_none() && text.contains("fuel allocated for hostcalls") {
        return End::Limit { name: "callBytes".to_owned(), value: request.call_bytes, limit: request.call_bytes };
    }
    // In bounds, so that no error's length makes the last word too long.
    let text = trap.map_or(text, |trap| trap.to_string());
    let frames = error.downcast_ref::<WasmBacktrace>().map(frames).unwrap_or_default();
    End::Trap(format!("{text}{frames}").chars().take(2_000).collect())
}

/// Where a program's own frames end: what is around its `main` is its runtime's, and ours.
const AROUND_MAIN: [&str; 3] = ["__rust_begin_short_backtrace", "__main_void", "std::rt::lang_start"];

/// The program's own functions that a trap was in, innermost first, a line each; nothing where their names are not kept.
fn frames(backtrace: &WasmBacktrace) -> String {
    let names = backtrace.frames().iter().filter_map(wasmtime::FrameInfo::func_name);
    // The alternate form leaves the hash of a name out.
    let names = names.map(|name| format!("{:#}", rustc_demangle::demangle(name)));
    let own = names.take_while(|name| !AROUND_MAIN.iter().any(|around| name.contains(around)));
    own.map(|name| format!("\n   in {name}")).collect()
}
