//! The job's own process, until it becomes the program.

use super::pipes::{close_from_on_exec, tell};
use super::{Message, Way};
use crate::confine::credentials::{Keep, SlotIds, drop_capabilities, take_ids};
use crate::confine::denials;
use crate::confine::limits::ResourceLimits;
use crate::confine::protocol::{Input, Spec};
use crate::confine::root::TEMP;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Gives up what rights are left and executes the program.
pub(super) fn run(spec: &Spec, way: Way, before: SlotIds, scratch: Option<&Path>, messages: &OwnedFd) -> ! {
    let reason = match become_program(spec, way, before, scratch) {
        Ok(never) => match never {},
        Err(reason) => reason,
    };
    tell(messages, &Message::Failed(reason));
    // SAFETY: leaves at once; exit handlers belong to the process that this one was copied from.
    unsafe { libc::_exit(127) }
}

fn become_program(
    spec: &Spec,
    way: Way,
    before: SlotIds,
    scratch: Option<&Path>,
) -> Result<std::convert::Infallible, String> {
    // SAFETY: takes plain numbers.
    unsafe {
        libc::setsid();
        libc::umask(0o022);
    }
    if way == Way::Plain && before.uid == 0 {
        take_ids(spec.ids).and_then(|()| drop_capabilities(Keep::Nothing)).map_err(|e| e.to_string())?;
    }
    let cwd = place(&spec.cwd, spec, way);
    std::env::set_current_dir(&cwd).map_err(|e| {
        format!(
            "cannot enter {} as user {}: {e} (are the folders above it open to it?)",
            cwd.display(),
            effective(before, spec, way)
        )
    })?;
    // SAFETY: both descriptors are open.
    if spec.input == Input::Output && unsafe { libc::dup2(1, 0) } < 0 {
        return Err(format!("cannot give the job its input: {}", io::Error::last_os_error()));
    }
    // The signals first: the limits ignore one of them.
    default_signals();
    limits(spec).apply().map_err(|e| e.to_string())?;
    let program = c_string(spec.program.as_os_str())?;
    let args = std::iter::once(Ok(program.clone()))
        .chain(spec.args.iter().map(|arg| c_string(arg)))
        .collect::<Result<Vec<_>, _>>()?;
    let env = spec.env.iter().map(|pair| variable(pair, scratch, spec, way)).collect::<Result<Vec<_>, _>>()?;
    let pointers = |list: &[CString]| -> Vec<*const libc::c_char> {
        list.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
    };
    let (arg_pointers, env_pointers) = (pointers(&args), pointers(&env));
    close_from_on_exec(3);
    if way != Way::Off {
        denials::apply_denials().map_err(|e| e.to_string())?;
    }
    // SAFETY: the strings and the lists, each ended by a null, live until the call replaces this process or fails.
    unsafe { libc::execve(program.as_ptr(), arg_pointers.as_ptr(), env_pointers.as_ptr()) };
    Err(format!("cannot execute {}: {}", spec.program.display(), io::Error::last_os_error()))
}

fn effective(before: SlotIds, spec: &Spec, way: Way) -> u32 {
    if before.uid == 0 && way != Way::Off { spec.ids.uid } else { before.uid }
}

fn limits(spec: &Spec) -> ResourceLimits {
    let bounds = &spec.bounds;
    ResourceLimits {
        address_bytes: None,
        // A little above the bound on the tree, so that it is the watcher who ends a job that grows, naming the bound.
        data_bytes: Some(bounds.process_memory_bytes.unwrap_or(bounds.memory_bytes + bounds.memory_bytes / 4)),
        file_bytes: Some(bounds.file_bytes),
        open_files: Some(bounds.open_files),
        // Room above the bound for the init and the slot's executor, which is the same user, and so that the watcher sees
        // the bound passed.
        processes: Some(bounds.processes + 16),
    }
}

/// Where a path of the job lies: as it says in a private root, at its source on the host.
fn place(path: &Path, spec: &Spec, way: Way) -> PathBuf {
    if matches!(way, Way::Namespaces(_)) {
        return path.to_path_buf();
    }
    let inside = spec.mounts.iter().find_map(|mount| Some(mount.source.join(path.strip_prefix(&mount.target).ok()?)));
    inside.unwrap_or_else(|| path.to_path_buf())
}

/// `NAME=value`. Where there is no private root, the temporary folder and the home are the scratch folder, and a value that
/// is a path of the job is where that lies.
fn variable(
    (name, value): &(OsString, OsString),
    scratch: Option<&Path>,
    spec: &Spec,
    way: Way,
) -> Result<CString, String> {
    let mut text = name.clone();
    text.push("=");
    match scratch {
        Some(folder) if value == TEMP && (name == "TMPDIR" || name == "HOME") => text.push(folder),
        _ => text.push(place(Path::new(value), spec, way)),
    }
    c_string(&text)
}

fn c_string(text: &OsStr) -> Result<CString, String> {
    CString::new(text.as_bytes()).map_err(|_| format!("a NUL byte in {text:?}"))
}

/// As a program expects them: nothing blocked, nothing ignored (the helper's runtime ignores SIGPIPE).
fn default_signals() {
    // SAFETY: setting a default installs no handler; signals that cannot be changed are refused. The set is initialised
    // before it is read.
    unsafe {
        for signal in 1..=64 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}
