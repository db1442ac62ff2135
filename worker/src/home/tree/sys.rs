//! The calls to the system that trees are made of. Names are relative to an open directory, and no symlink is followed.

use super::manifest::Time;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, RawDir, Stat, Timespec, Timestamps};
use rustix::io::{Errno, Result};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::path::Path;

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub dev: u64,
    pub ino: u64,
    /// With the kind.
    pub mode: u32,
    pub size: u64,
    pub mtime: Time,
    pub ctime: Time,
}

impl Stamp {
    #[allow(clippy::unnecessary_cast, reason = "the fields' types differ by architecture")]
    pub fn of(stat: &Stat) -> Stamp {
        Stamp {
            dev: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            mode: stat.st_mode as u32,
            size: stat.st_size as u64,
            mtime: Time { secs: stat.st_mtime as i64, nanos: stat.st_mtime_nsec as u32 },
            ctime: Time { secs: stat.st_ctime as i64, nanos: stat.st_ctime_nsec as u32 },
        }
    }

    /// What a manifest keeps of the mode.
    pub fn permissions(&self) -> u16 {
        (self.mode & 0o777) as u16
    }

    pub fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }
}

#[allow(clippy::unnecessary_cast, reason = "the field's type differs by architecture")]
pub(super) fn blocks(stat: &Stat) -> u64 {
    stat.st_blocks as u64
}

/// The wall clock, which is the one that file times are taken from.
pub(super) fn now() -> Time {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Time { secs: i64::try_from(since.as_secs()).unwrap_or(i64::MAX), nanos: since.subsec_nanos() }
}

pub(super) fn stat_at(dir: BorrowedFd<'_>, name: &CStr) -> Result<Stat> {
    rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// A directory that was opened, perhaps without the right to list it.
#[derive(Debug)]
enum Opened {
    Readable(OwnedFd),
    PathOnly(OwnedFd),
}

fn open_either(dir: BorrowedFd<'_>, name: impl rustix::path::Arg + Copy, flags: OFlags) -> Result<Opened> {
    let flags = flags | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match rustix::fs::openat(dir, name, OFlags::RDONLY | flags, Mode::empty()) {
        Err(Errno::ACCESS) => rustix::fs::openat(dir, name, OFlags::PATH | flags, Mode::empty()).map(Opened::PathOnly),
        opened => opened.map(Opened::Readable),
    }
}

/// A directory that can be listed and looked into.
#[derive(Debug)]
pub(super) struct Directory {
    pub fd: OwnedFd,
    /// As it was when it was opened.
    pub stamp: Stamp,
    /// Where its mode had to be changed for that.
    pub loosened: Option<Loosened>,
}

/// Opens the root of a tree: the one place where a symlink is followed, because the caller names it.
pub(super) fn open_root(path: &Path) -> Result<Directory> {
    make_listable(open_either(rustix::fs::CWD, path, OFlags::empty())?)
}

/// Opens a directory by its name in another.
pub(super) fn open_directory(dir: BorrowedFd<'_>, name: &CStr) -> Result<Directory> {
    make_listable(open_either(dir, name, OFlags::NOFOLLOW)?)
}

/// Opens a directory by its name in another if it can be done without changing its mode.
pub(super) fn open_directory_as_it_is(dir: BorrowedFd<'_>, name: impl rustix::path::Arg) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(dir, name, flags, Mode::empty())
}

fn make_listable(opened: Opened) -> Result<Directory> {
    let (Opened::Readable(fd) | Opened::PathOnly(fd)) = &opened;
    let stamp = Stamp::of(&rustix::fs::fstat(fd)?);
    let mode = stamp.permissions();
    let path = match opened {
        Opened::Readable(fd)
            if mode & 0o500 == 0o500 || rustix::fs::accessat(&fd, c".", Access::EXEC_OK, AtFlags::EACCESS).is_ok() =>
        {
            return Ok(Directory { fd, stamp, loosened: None });
        }
        Opened::Readable(fd) | Opened::PathOnly(fd) => fd,
    };
    chmod_path(path.as_fd(), mode | 0o500)?;
    let loosened = Loosened { path, mode, restore: Restore::Yes };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(&loosened.path, c".", flags, Mode::empty())?;
    Ok(Directory { fd, stamp, loosened: Some(loosened) })
}

fn self_path(fd: BorrowedFd<'_>) -> String {
    format!("/proc/self/fd/{}", fd.as_raw_fd())
}

/// Sets the mode of what an `O_PATH` descriptor stands for, which `fchmod` refuses.
pub(super) fn chmod_path(fd: BorrowedFd<'_>, mode: u16) -> Result<()> {
    rustix::fs::chmod(self_path(fd), Mode::from_raw_mode(u32::from(mode)))
}

/// Gives the owner of an open directory every right to it.
pub(super) fn make_writable(dir: BorrowedFd<'_>) -> Result<()> {
    let mode = Stamp::of(&rustix::fs::fstat(dir)?).permissions();
    if mode & 0o700 == 0o700 { Ok(()) } else { rustix::fs::fchmod(dir, Mode::from_raw_mode(u32::from(mode | 0o700))) }
}

/// Something whose owner could not read it, made readable; its mode comes back when this is dropped.
#[derive(Debug)]
pub(super) struct Loosened {
    path: OwnedFd,
    mode: u16,
    restore: Restore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Restore {
    Yes,
    No,
}

impl Loosened {
    /// Leaves the mode as it is now.
    pub fn keep(mut self) {
        self.restore = Restore::No;
    }
}

impl Drop for Loosened {
    fn drop(&mut self) {
        if self.restore == Restore::Yes
            && let Err(error) = chmod_path(self.path.as_fd(), self.mode)
        {
            tracing::warn!(%error, mode = self.mode, "a mode could not be set back after reading");
        }
    }
}

/// A regular file opened for reading, with its state before a byte was read. `ELOOP` or `EINVAL` where the name now
/// stands for something else.
pub(super) fn open_file(dir: BorrowedFd<'_>, name: &CStr) -> Result<(OwnedFd, Stamp, Option<Loosened>)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match rustix::fs::openat(dir, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {}
        opened => return check_regular(opened?).map(|(fd, stamp)| (fd, stamp, None)),
    }
    let path = rustix::fs::openat(dir, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    let (path, stamp) = check_regular(path)?;
    chmod_path(path.as_fd(), stamp.permissions() | 0o400)?;
    let loosened = Loosened { path, mode: stamp.permissions(), restore: Restore::Yes };
    let reopen = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(self_path(loosened.path.as_fd()), reopen, Mode::empty())?;
    Ok((file, stamp, Some(loosened)))
}

fn check_regular(fd: OwnedFd) -> Result<(OwnedFd, Stamp)> {
    let stamp = Stamp::of(&rustix::fs::fstat(&fd)?);
    if stamp.kind() == FileType::RegularFile { Ok((fd, stamp)) } else { Err(Errno::INVAL) }
}

/// The names in a directory, sorted by their bytes.
pub(super) fn list(dir: BorrowedFd<'_>) -> Result<Vec<CString>> {
    // A descriptor that was listed before is at its end.
    rustix::fs::seek(dir, rustix::fs::SeekFrom::Start(0))?;
    let mut buffer = [MaybeUninit::<u8>::uninit(); 16 * 1024];
    let mut names = Vec::new();
    let mut entries = RawDir::new(dir, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Times that set the modification and leave the access alone.
pub(super) fn timestamps(mtime: Time) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_OMIT },
        last_modification: Timespec { tv_sec: mtime.secs, tv_nsec: i64::from(mtime.nanos) },
    }
}
