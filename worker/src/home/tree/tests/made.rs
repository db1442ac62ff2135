//! Trees that are made up, written, and read back by other means than the code under test.

use super::super::Time;
use proptest::prelude::*;
use rustix::fs::{AtFlags, CWD};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// All that a tree keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Made {
    File { bytes: Vec<u8>, mode: u32, mtime: Time },
    Link { target: Vec<u8>, mtime: Time },
    Dir { mode: u32, mtime: Time, entries: BTreeMap<Vec<u8>, Made> },
}

impl Made {
    pub fn write(&self, path: &Path) {
        match self {
            Made::File { bytes, mode, mtime } => {
                fs::write(path, bytes).expect("file");
                set_meta(path, *mode, *mtime);
            }
            Made::Link { target, mtime } => {
                std::os::unix::fs::symlink(OsStr::from_bytes(target), path).expect("link");
                set_time(path, *mtime);
            }
            Made::Dir { mode, mtime, entries } => {
                fs::create_dir_all(path).expect("dir");
                for (name, made) in entries {
                    made.write(&path.join(OsStr::from_bytes(name)));
                }
                set_meta(path, *mode, *mtime);
            }
        }
    }

    pub fn read(path: &Path) -> Made {
        let meta = fs::symlink_metadata(path).expect("metadata");
        let mtime = Time { secs: meta.mtime(), nanos: u32::try_from(meta.mtime_nsec()).expect("nanos") };
        let mode = meta.mode() & 0o7777;
        let kind = meta.file_type();
        if kind.is_symlink() {
            return Made::Link { target: fs::read_link(path).expect("link").into_os_string().into_vec(), mtime };
        }
        // An ordinary user may not look into everything that is its own.
        let needed = if kind.is_dir() { 0o500 } else { 0o400 };
        let shut = mode & needed != needed && !rustix::process::geteuid().is_root();
        if shut {
            super::chmod(path, mode | needed);
        }
        let made = if kind.is_dir() {
            let entries = fs::read_dir(path).expect("list").map(|entry| {
                let entry = entry.expect("entry");
                (entry.file_name().into_vec(), Made::read(&entry.path()))
            });
            Made::Dir { mode, mtime, entries: entries.collect() }
        } else {
            assert!(kind.is_file(), "{} is no regular file", path.display());
            Made::File { bytes: fs::read(path).expect("read"), mode, mtime }
        };
        if shut {
            super::chmod(path, mode);
        }
        made
    }
}

fn set_meta(path: &Path, mode: u32, mtime: Time) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("mode");
    set_time(path, mtime);
}

fn set_time(path: &Path, mtime: Time) {
    rustix::fs::utimensat(CWD, path, &super::super::sys::timestamps(mtime), AtFlags::SYMLINK_NOFOLLOW).expect("time");
}

pub fn names() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![Just(0xffu8), Just(b'\n'), Just(b' '), (1u8..=255).prop_filter("no slash", |b| *b != b'/')];
    prop_oneof![
        4 => "[a-d]".prop_map(String::into_bytes),
        2 => "[a-zé.]{1,12}".prop_map(String::into_bytes),
        2 => prop::collection::vec(byte, 1..20),
        1 => Just(vec![0xfe; 255]),
    ]
    .prop_filter("a file name", |name| name != b"." && name != b"..")
}

fn modes() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0o644u32), Just(0o755), Just(0), 0u32..=0o777]
}

fn times() -> impl Strategy<Value = Time> {
    (prop_oneof![-1_000_000_000i64..4_000_000_000, Just(0), Just(-1)], 0u32..1_000_000_000)
        .prop_map(|(secs, nanos)| Time { secs, nanos })
}

fn leaves() -> impl Strategy<Value = Made> {
    let bytes = prop_oneof![Just(Vec::new()), prop::collection::vec(any::<u8>(), 0..64), Just(vec![b'x'; 70_000])];
    let targets = prop_oneof![Just(b".".to_vec()), Just(b"..".to_vec()), Just(b"/etc/passwd".to_vec()), names()];
    prop_oneof![
        3 => (bytes, modes(), times()).prop_map(|(bytes, mode, mtime)| Made::File { bytes, mode, mtime }),
        1 => (targets, times()).prop_map(|(target, mtime)| Made::Link { target, mtime }),
    ]
}

fn directory(entries: BTreeMap<Vec<u8>, Made>) -> impl Strategy<Value = Made> {
    (modes(), times()).prop_map(move |(mode, mtime)| Made::Dir { mode, mtime, entries: entries.clone() })
}

/// Any tree, its root being a directory.
pub fn trees() -> impl Strategy<Value = Made> {
    let nested = leaves()
        .prop_recursive(4, 40, 6, |inner| prop::collection::btree_map(names(), inner, 0..6).prop_flat_map(directory));
    prop::collection::btree_map(names(), nested, 0..8).prop_flat_map(directory)
}
