//! What a cache knows never changes what a snapshot says.

use super::made::{Made, names, trees};
use super::*;
use proptest::prelude::*;
use rustix::mount::{MountFlags, MountPropagationFlags};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, Vec<u8>, u8, usize),
    /// The same length in the same inode.
    Rewrite(usize, u8),
    Remove(usize),
    Rename(usize, usize, Vec<u8>),
    Chmod(usize, u32),
    Touch(usize, i64),
    Directory(usize, Vec<u8>),
    Link(usize, Vec<u8>, Vec<u8>),
}

fn edits() -> impl Strategy<Value = Edit> {
    let at = 0usize..64;
    prop_oneof![
        (at.clone(), names(), any::<u8>(), 0usize..50).prop_map(|(a, n, b, l)| Edit::Write(a, n, b, l)),
        (at.clone(), any::<u8>()).prop_map(|(a, b)| Edit::Rewrite(a, b)),
        (at.clone(), any::<u8>()).prop_map(|(a, b)| Edit::Rewrite(a, b)),
        at.clone().prop_map(Edit::Remove),
        (at.clone(), at.clone(), names()).prop_map(|(a, b, n)| Edit::Rename(a, b, n)),
        (at.clone(), 0u32..=0o777).prop_map(|(a, m)| Edit::Chmod(a, m | 0o700)),
        (at.clone(), -1_000i64..2_000_000_000).prop_map(|(a, t)| Edit::Touch(a, t)),
        (at.clone(), names()).prop_map(|(a, n)| Edit::Directory(a, n)),
        (at, names(), names()).prop_map(|(a, n, t)| Edit::Link(a, n, t)),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// All that is below the root.
    Entries,
    /// The root and the directories below it.
    Directories,
}

fn paths(root: &Path, which: Which) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut next = 0;
    let mut all = Vec::new();
    while let Some(dir) = found.get(next).cloned() {
        next += 1;
        // What is shut to an ordinary user is left alone.
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let entry = entry.expect("entry");
            if entry.file_type().expect("type").is_dir() {
                found.push(entry.path());
            }
            all.push(entry.path());
        }
    }
    all.sort();
    found.sort();
    match which {
        Which::Entries => all,
        Which::Directories => found,
    }
}

/// What cannot be done here is not done: a snapshot must be right all the same.
fn apply(root: &Path, edit: &Edit) -> std::io::Result<()> {
    let pick = |list: Vec<PathBuf>, at: usize| {
        let chosen = at.checked_rem(list.len()).and_then(|at| list.get(at).cloned());
        chosen.ok_or(std::io::ErrorKind::NotFound)
    };
    let any = |at: &usize| pick(paths(root, Which::Entries), *at);
    let place = |at: &usize, name: &[u8]| {
        Ok::<_, std::io::Error>(pick(paths(root, Which::Directories), *at)?.join(OsStr::from_bytes(name)))
    };
    match edit {
        Edit::Write(at, name, byte, length) => {
            let path = place(at, name)?;
            if path.is_symlink() { Ok(()) } else { fs::write(path, vec![*byte; *length]) }
        }
        Edit::Rewrite(at, byte) => {
            let path = any(at)?;
            let meta = fs::symlink_metadata(&path)?;
            if meta.is_file() { fs::write(&path, vec![*byte; meta.len() as usize]) } else { Ok(()) }
        }
        Edit::Remove(at) => {
            let path = any(at)?;
            if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
        }
        Edit::Rename(from, to, name) => fs::rename(any(from)?, place(to, name)?),
        Edit::Chmod(at, mode) => {
            let path = any(at)?;
            if path.is_symlink() { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(*mode)) }
        }
        Edit::Touch(at, secs) => {
            let times = super::super::sys::timestamps(Time { secs: *secs, nanos: 0 });
            Ok(rustix::fs::utimensat(rustix::fs::CWD, any(at)?, &times, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?)
        }
        Edit::Directory(at, name) => fs::create_dir(place(at, name)?),
        Edit::Link(at, name, target) => std::os::unix::fs::symlink(OsStr::from_bytes(target), place(at, name)?),
    }
}

fn incremental_equals_scratch(bench: &Bench, root: &Path, made: &Made, rounds: &[Vec<Edit>]) {
    made.write(root);
    let mut cache = ScanCache::new();
    let first = bench.snapshot(root, &mut cache).key;
    for (round, edits) in rounds.iter().enumerate() {
        for edit in edits {
            let _ = apply(root, edit);
        }
        let now = Made::read(root);
        let with_cache = bench.snapshot(root, &mut cache).key;
        assert_eq!(with_cache, bench.key(root), "round {round}: the cache makes a difference");
        assert_eq!(cache.key(), Some(with_cache));
        let elsewhere = bench.folder.path().join("elsewhere");
        bench.restore(&with_cache, &elsewhere);
        assert_eq!(Made::read(&elsewhere), now, "round {round}: what was stored is not what is there");
    }
    let cache = restore_in_place(&first, &bench.objects, root, &TreeLimits::UNBOUNDED, None, cache).expect("undone");
    assert_eq!(&Made::read(root), made, "the first tree again");
    assert_eq!(cache.key(), Some(first));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_incremental_snapshot_equals_one_from_scratch(
        made in trees(),
        rounds in prop::collection::vec(prop::collection::vec(edits(), 0..8), 1..5),
    ) {
        let bench = Bench::new();
        let root = bench.folder.path().join("root");
        incremental_equals_scratch(&bench, &root, &made, &rounds);
        if let Some(coarse) = Coarse::mount(&bench) {
            coarse.run(|root| {
                let bench = Bench::within(tempfile::tempdir_in(root).expect("tempdir"));
                incremental_equals_scratch(&bench, &bench.folder.path().join("root"), &made, &rounds);
            });
        }
    }
}

/// A file system whose times come in ticks, as all did before kernel 6.13. Only root can mount one.
struct Coarse {
    root: PathBuf,
}

impl Coarse {
    fn mount(bench: &Bench) -> Option<Coarse> {
        rustix::process::geteuid().is_root().then(|| Coarse { root: bench.dir("coarse") })
    }

    /// In a mount namespace of its own, which ends with its thread.
    fn run(&self, test: impl FnOnce(&Path) + Send) {
        std::thread::scope(|scope| {
            let body = || {
                // SAFETY: the thread gives up sharing its root and mounts, and touches nothing of other threads.
                unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNS) }.expect("namespace");
                let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
                rustix::mount::mount_change("/", private).expect("private");
                rustix::mount::mount("ramfs", &self.root, "ramfs", MountFlags::empty(), None).expect("ramfs");
                test(&self.root);
            };
            if let Err(panic) = scope.spawn(body).join() {
                std::panic::resume_unwind(panic);
            }
        });
    }
}

#[test]
fn a_file_rewritten_within_a_tick_of_the_scan_is_read_again() {
    let bench = Bench::new();
    let Some(coarse) = Coarse::mount(&bench) else { return };
    coarse.run(|root| {
        // The store lies there too, so that a scan takes less than a tick even on a busy machine.
        let objects = Objects::in_folder(&root.join("store"), Durability::Cached).expect("objects");
        let tree = root.join("tree");
        fs::create_dir(&tree).expect("dir");
        let file = tree.join("file");
        let scan = |cache: &mut ScanCache| snapshot(&tree, &objects, &TreeLimits::UNBOUNDED, cache).expect("scan").key;
        let look = || {
            let meta = fs::metadata(&file).expect("metadata");
            (meta.ino(), meta.len(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec())
        };
        let mut looked_the_same = 0;
        for round in 0..400 {
            fs::write(&file, format!("before {round:3}")).expect("write");
            let seen = look();
            let mut cache = ScanCache::new();
            let before = scan(&mut cache);
            fs::write(&file, format!("after  {round:3}")).expect("write");
            looked_the_same += u32::from(look() == seen);
            assert_ne!(scan(&mut cache), before, "the second write was missed");
        }
        assert!(looked_the_same > 0, "the clock was too fine for this test to show anything");
    });
}

#[test]
fn only_what_changed_is_read_and_stored() {
    let bench = Bench::new();
    let root = bench.dir("root");
    for dir in ["a", "b", "b/c"] {
        fs::create_dir(root.join(dir)).expect("dir");
        for file in 0..5 {
            fs::write(root.join(dir).join(format!("{file}")), format!("{dir}{file}")).expect("file");
        }
    }
    std::thread::sleep(SETTLED_AFTER * 2);
    let mut cache = ScanCache::new();
    let first = bench.snapshot(&root, &mut cache);
    assert_eq!((first.files_read, first.directories_stored, first.usage.entries), (15, 4, 18));
    let second = bench.snapshot(&root, &mut cache);
    assert_eq!((second.files_read, second.directories_stored, second.key), (0, 0, first.key));
    fs::write(root.join("b/c/1"), "new").expect("file");
    let third = bench.snapshot(&root, &mut cache);
    assert_eq!((third.files_read, third.directories_stored), (1, 3), "the file, its directory and those above");
    let undone =
        restore_in_place(&first.key, &bench.objects, &root, &TreeLimits::UNBOUNDED, None, cache).expect("undone");
    assert_eq!(undone.key(), Some(first.key));
    assert_eq!(bench.key(&root), first.key);
}
