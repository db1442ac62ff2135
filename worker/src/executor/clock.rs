//! The clocks that a program's time is counted by, and the timer that advances the engine's epoch.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;
use wasmtime::Engine;

/// How much CPU time passes between two looks at a program's budget.
pub const TICK: Duration = Duration::from_millis(10);

fn read(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec for the call to fill; both clocks exist on every Linux.
    unsafe { libc::clock_gettime(clock, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// CPU time of the calling thread.
pub fn thread_cpu() -> Duration {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Time that only goes forward.
pub fn monotonic() -> Duration {
    read(libc::CLOCK_MONOTONIC)
}

static ENGINE: AtomicPtr<Engine> = AtomicPtr::new(std::ptr::null_mut());

extern "C" fn tick(_: libc::c_int) {
    let engine = ENGINE.load(Ordering::Relaxed);
    if !engine.is_null() {
        // SAFETY: the pointer comes from `Box::into_raw` below and is never freed; `increment_epoch` is documented as
        // safe to call from a signal handler.
        unsafe { (*engine).increment_epoch() }
    }
}

/// Advances the engine's epoch each [`TICK`] of the calling thread's own CPU time. No thread is needed, and nothing fires
/// while the thread is idle or parked in a call.
pub fn start_epoch_timer(engine: &Engine) -> std::io::Result<()> {
    ENGINE.store(Box::into_raw(Box::new(engine.clone())), Ordering::Relaxed);
    // SAFETY: zeroed sigaction and sigevent are valid values; every field that the kernel reads is set below, the
    // handler only touches an atomic and the engine, and the alternate stack keeps it off the guest's.
    let failed = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = tick as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGALRM;
        event.sigev_notify_thread_id = libc::gettid();
        let mut timer: libc::timer_t = std::ptr::null_mut();
        let every = libc::timespec { tv_sec: 0, tv_nsec: TICK.subsec_nanos() as libc::c_long };
        let setting = libc::itimerspec { it_interval: every, it_value: every };
        libc::sigaction(libc::SIGALRM, &action, std::ptr::null_mut()) != 0
            || libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &mut event, &mut timer) != 0
            || libc::timer_settime(timer, 0, &setting, std::ptr::null_mut()) != 0
    };
    if failed { Err(std::io::Error::last_os_error()) } else { Ok(()) }
}
