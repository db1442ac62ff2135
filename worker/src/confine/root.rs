//! The private root: a small read-only tmpfs that shows the system's programs and libraries, a job's own paths, an own
//! `/proc`, a handful of devices and a bounded `/tmp`, and nothing else of the host.

use crate::confine::credentials::SlotIds;
use crate::confine::namespaces::NamespaceError;
use serde::{Deserialize, Serialize};
use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

/// System folders that a job may read and execute, as far as they exist. A merged `/usr` makes most of them symlinks.
pub const SYSTEM_FOLDERS: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/// What of `/etc` is shown, as far as it exists: what the loader, name look-ups, certificates and runtimes read. No account
/// data (a short `passwd` and `group` are made), no host's configuration.
pub const SYSTEM_SETTINGS: &[&str] = &[
    "alternatives",
    "ca-certificates",
    "debian_version",
    "fonts",
    "host.conf",
    "java-17-openjdk",
    "java-21-openjdk",
    "java-25-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "perl",
    "pki",
    "protocols",
    "python3",
    "services",
    "ssl",
    "terminfo",
    "timezone",
];

/// Devices that a job may use.
pub const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom"];

/// Where a job's temporary folder is. Its `HOME` too: nothing of it outlives the job.
pub const TEMP: &str = "/tmp";

/// A path of the host that the private root shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// The file or folder on the host.
    pub source: PathBuf,
    /// Where the job sees it: an absolute path without `..`.
    pub target: PathBuf,
    /// Whether the job may write there.
    pub access: MountAccess,
}

/// What a job may do with a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MountAccess {
    /// Read and execute.
    ReadOnly,
    /// Read, execute and write.
    ReadWrite,
}

/// Whether there is a `/proc`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proc {
    /// An own one, of the process namespace that this process is in. Where the system refuses it there is none.
    Own,
    /// None but for a link `/proc/self/exe` to this program, which does not start without it.
    Link(PathBuf),
    /// None.
    None,
}

/// What the private root is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateRoot {
    /// Beside the system's paths.
    pub mounts: Vec<Mount>,
    /// Whether to show the system's programs, libraries and settings.
    pub system: System,
    /// The bound of `/tmp`, in bytes; with 0 nothing can be written there. It is memory.
    pub temp_bytes: u64,
    /// The bound of `/tmp`, in entries.
    pub temp_entries: u64,
    /// The owner of `/tmp`.
    pub owner: SlotIds,
    /// Whether there is a `/proc`.
    pub proc: Proc,
}

/// Whether the system's paths are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Programs and libraries, a few settings, devices.
    Shown,
    /// Nothing but the mounts, `/tmp` and `/proc`.
    Hidden,
}

const OLD: &str = "/old";

impl PrivateRoot {
    /// Makes the root and moves into it; the current folder is its `/`. The process must be in a mount namespace of its own
    /// ([`crate::confine::namespaces::unshare`]) and have CAP_SYS_ADMIN there.
    pub fn enter(&self) -> Result<(), NamespaceError> {
        let base = Path::new(TEMP);
        // Nothing that happens here may reach the host's mounts.
        mount(None, Path::new("/"), None, libc::MS_REC | libc::MS_PRIVATE, None)
            .map_err(NamespaceError::root("make private", "/"))?;
        let flags = libc::MS_NOSUID | libc::MS_NODEV;
        mount(Some(OsStr::new("root")), base, Some("tmpfs"), flags, Some("mode=755,size=4m,nr_inodes=4096"))
            .map_err(NamespaceError::root("mount a tmpfs on", base))?;
        make_folder(&base.join("old")).map_err(NamespaceError::root("make the folder", OLD))?;
        pivot(base, &base.join("old")).map_err(NamespaceError::root("move into", base))?;
        self.fill()?;
        // Every mount of the host goes with its root.
        unmount(Path::new(OLD)).map_err(NamespaceError::root("let go of the host's root at", OLD))?;
        std::fs::remove_dir(OLD).map_err(NamespaceError::root("remove", OLD))?;
        let read_only = libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY | libc::MS_NOSUID | libc::MS_NODEV;
        mount(None, Path::new("/"), None, read_only, None).map_err(NamespaceError::root("make read-only", "/"))
    }

    fn fill(&self) -> Result<(), NamespaceError> {
        make_folder(Path::new(TEMP)).map_err(NamespaceError::root("make the folder", TEMP))?;
        // Of one that is to hold nothing, the mounts beneath it still need their places.
        let (bytes, entries) =
            if self.temp_bytes == 0 { (64 << 10, 1_024) } else { (self.temp_bytes, self.temp_entries) };
        let bounds = format!("mode=700,size={bytes},nr_inodes={entries}");
        let flags = libc::MS_NOSUID | libc::MS_NODEV;
        mount(Some(OsStr::new("tmp")), Path::new(TEMP), Some("tmpfs"), flags, Some(&bounds))
            .map_err(NamespaceError::root("mount a tmpfs on", TEMP))?;
        std::os::unix::fs::chown(TEMP, Some(self.owner.uid), Some(self.owner.gid))
            .map_err(NamespaceError::root("give away", TEMP))?;
        if self.system == System::Shown {
            self.show_system()?;
        }
        if self.proc == Proc::Own {
            make_folder(Path::new("/proc")).map_err(NamespaceError::root("make the folder", "/proc"))?;
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
            // Within a container whose own /proc is masked the kernel refuses; a job can do without.
            let _ = mount(Some(OsStr::new("proc")), Path::new("/proc"), Some("proc"), flags, None);
        }
        if let Proc::Link(program) = &self.proc {
            make_folder(Path::new("/proc/self")).map_err(NamespaceError::root("make the folder", "/proc/self"))?;
            symlink(program, "/proc/self/exe").map_err(NamespaceError::root("make the link", "/proc/self/exe"))?;
        }
        for entry in &self.mounts {
            show(&entry.source, &entry.target, entry.access)?;
        }
        if self.temp_bytes == 0 {
            let flags = flags | libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY;
            mount(None, Path::new(TEMP), None, flags, None).map_err(NamespaceError::root("make read-only", TEMP))?;
        }
        Ok(())
    }

    fn show_system(&self) -> Result<(), NamespaceError> {
        for folder in SYSTEM_FOLDERS.iter().map(Path::new) {
            show_if_there(folder)?;
        }
        make_folder(Path::new("/etc")).map_err(NamespaceError::root("make the folder", "/etc"))?;
        for name in SYSTEM_SETTINGS {
            show_if_there(&Path::new("/etc").join(name))?;
        }
        let SlotIds { uid, gid } = self.owner;
        let files = [
            (
                "/etc/passwd",
                format!("agent:x:{uid}:{gid}:agent:{TEMP}:/bin/bash\nroot:x:0:0:root:/:/usr/sbin/nologin\n"),
            ),
            ("/etc/group", format!("agent:x:{gid}:\nroot:x:0:\n")),
            ("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n".to_owned()),
        ];
        for (path, text) in files {
            std::fs::write(path, text).map_err(NamespaceError::root("write", path))?;
        }
        make_folder(Path::new("/dev")).map_err(NamespaceError::root("make the folder", "/dev"))?;
        for device in DEVICES {
            let path = Path::new("/dev").join(device);
            make_file(&path).map_err(NamespaceError::root("make", &path))?;
            bind(&old(&path), &path).map_err(NamespaceError::root("show", &path))?;
        }
        let links = [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"), ("shm", TEMP)];
        for (name, target) in links {
            let path = Path::new("/dev").join(name);
            symlink(target, &path).map_err(NamespaceError::root("make", &path))?;
        }
        Ok(())
    }
}

/// Where a path of the host lies while the root is made.
fn old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

/// Shows a system path read-only in its own place: a symlink as the same symlink, anything else as a mount.
fn show_if_there(path: &Path) -> Result<(), NamespaceError> {
    let source = old(path);
    match std::fs::symlink_metadata(&source) {
        Err(_) => Ok(()),
        Ok(meta) if meta.is_symlink() => {
            let target = std::fs::read_link(&source).map_err(NamespaceError::root("read the link", path))?;
            symlink(target, path).map_err(NamespaceError::root("make the link", path))
        }
        Ok(_) => show(path, path, MountAccess::ReadOnly),
    }
}

fn show(source: &Path, target: &Path, access: MountAccess) -> Result<(), NamespaceError> {
    let from = old(source);
    let meta = std::fs::metadata(&from).map_err(NamespaceError::root("find", source))?;
    if meta.is_dir() {
        make_folder(target).map_err(NamespaceError::root("make the folder", target))?;
    } else {
        if let Some(parent) = target.parent() {
            make_folder(parent).map_err(NamespaceError::root("make the folder", parent))?;
        }
        make_file(target).map_err(NamespaceError::root("make", target))?;
    }
    bind(&from, target).map_err(NamespaceError::root("show", source))?;
    restrict(target, access).map_err(NamespaceError::root("restrict", target))
}

/// Makes a folder with those above it. One that is there already is fine: a path beneath a mount that is shown anyway.
fn make_folder(path: &Path) -> io::Result<()> {
    match std::fs::DirBuilder::new().recursive(true).mode(0o755).create(path) {
        Err(error) if !path.is_dir() => Err(error),
        _ => Ok(()),
    }
}

fn make_file(path: &Path) -> io::Result<()> {
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o644).open(path) {
        Err(error) if !path.is_file() => Err(error),
        _ => Ok(()),
    }
}

fn c_string(path: &OsStr) -> io::Result<CString> {
    CString::new(path.as_bytes()).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a NUL byte in a path"))
}

fn checked(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn mount(
    source: Option<&OsStr>,
    target: &Path,
    kind: Option<&str>,
    flags: libc::c_ulong,
    data: Option<&str>,
) -> io::Result<()> {
    let source = source.map(c_string).transpose()?;
    let target = c_string(target.as_os_str())?;
    let kind = kind.map(|k| c_string(OsStr::new(k))).transpose()?;
    let data = data.map(|d| c_string(OsStr::new(d))).transpose()?;
    let pointer = |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
    // SAFETY: every pointer is null or a string that outlives the call.
    checked(libc::c_long::from(unsafe {
        libc::mount(pointer(&source), target.as_ptr(), pointer(&kind), flags, pointer(&data).cast())
    }))
}

/// With what is mounted beneath: in a user namespace the kernel refuses to show a folder without it.
fn bind(source: &Path, target: &Path) -> io::Result<()> {
    mount(Some(source.as_os_str()), target, None, libc::MS_BIND | libc::MS_REC, None)
}

fn unmount(target: &Path) -> io::Result<()> {
    let target = c_string(target.as_os_str())?;
    // SAFETY: the string outlives the call.
    checked(libc::c_long::from(unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) }))
}

fn pivot(new_root: &Path, put_old: &Path) -> io::Result<()> {
    let (new_root, put_old) = (c_string(new_root.as_os_str())?, c_string(put_old.as_os_str())?);
    // SAFETY: both strings outlive the call.
    checked(unsafe { libc::syscall(libc::SYS_pivot_root, new_root.as_ptr(), put_old.as_ptr()) })?;
    std::env::set_current_dir("/")
}

/// Takes set-id bits, devices and perhaps writing from a mount and everything beneath it (Linux 5.12).
fn restrict(target: &Path, access: MountAccess) -> io::Result<()> {
    const RECURSIVE: libc::c_int = 0x8000;
    const READ_ONLY: u64 = 1;
    const NO_SET_ID: u64 = 2;
    const NO_DEVICES: u64 = 4;
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    let write = match access {
        MountAccess::ReadOnly => READ_ONLY,
        MountAccess::ReadWrite => 0,
    };
    let attributes = Attributes { set: write | NO_SET_ID | NO_DEVICES, clear: 0, propagation: 0, user_namespace: 0 };
    let target = c_string(target.as_os_str())?;
    // SAFETY: the string and the attributes, whose size is given, outlive the call.
    checked(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            target.as_ptr(),
            RECURSIVE,
            &raw const attributes,
            std::mem::size_of::<Attributes>(),
        )
    })
}
