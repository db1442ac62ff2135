//! Hostile, broken and changing trees.

use super::made::Made;
use super::*;
use gg_common::limits::TREE_DEPTH;
use rustix::fs::{CWD, Mode};
use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

fn limits(bytes: u64, entries: u64) -> TreeLimits {
    TreeLimits { bytes, entries, ..TreeLimits::UNBOUNDED }
}

/// The limit that an error names, with what was counted.
fn named(error: TreeError) -> (&'static str, u64) {
    match error {
        TreeError::Limit { name, value, .. } => (name, value),
        other => panic!("{other}"),
    }
}

#[test]
fn entries_of_mode_000_are_read_and_come_back() {
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::create_dir_all(root.join("shut/inner")).expect("dirs");
    fs::write(root.join("shut/inner/file"), "deep").expect("file");
    fs::write(root.join("file"), "flat").expect("file");
    for path in ["shut/inner/file", "shut/inner", "shut", "file"] {
        chmod(&root.join(path), 0);
    }
    let before = Made::read(&root);
    let mut cache = ScanCache::new();
    let key = bench.snapshot(&root, &mut cache).key;
    assert_eq!(bench.snapshot(&root, &mut cache).key, key);
    assert_eq!(Made::read(&root), before, "modes and times stay");
    let there = bench.dir("there");
    bench.restore(&key, &there);
    assert_eq!(Made::read(&there), before);
    let cache = bench.restore(&key, &there);
    assert_eq!((cache.key(), Made::read(&there)), (Some(key), before), "over itself");
    let usage = usage(&root, &TreeLimits::UNBOUNDED).expect("usage");
    assert_eq!(usage.unreadable, u64::from(!rustix::process::geteuid().is_root()));
}

#[test]
fn a_fifo_is_reported_and_left_where_it_is() {
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::write(root.join("file"), "x").expect("file");
    let mut cache = ScanCache::new();
    bench.snapshot(&root, &mut cache);
    fs::create_dir(root.join("dir")).expect("dir");
    let fifo = root.join("dir/fifo");
    rustix::fs::mknodat(CWD, &fifo, rustix::fs::FileType::Fifo, Mode::RWXU, 0).expect("fifo");
    std::os::unix::net::UnixListener::bind(root.join("socket")).expect("socket");
    let snapshot = bench.snapshot(&root, &mut cache);
    let skipped: Vec<_> = snapshot.skipped.iter().map(|s| (s.path.to_str().expect("utf-8"), s.kind)).collect();
    assert_eq!(skipped, [("dir/fifo", SkippedKind::Fifo), ("socket", SkippedKind::Socket)]);
    assert_eq!(bench.snapshot(&root, &mut cache).skipped, snapshot.skipped, "each time");
    assert!(fifo.exists());
    let there = bench.dir("there");
    bench.restore(&snapshot.key, &there);
    assert!(there.join("dir").is_dir() && !there.join("dir/fifo").exists() && !there.join("socket").exists());
    bench.restore(&snapshot.key, &root);
    assert!(!fifo.exists(), "what is not in a tree goes when it is restored");
}

#[test]
fn a_limit_is_named_and_the_earlier_tree_comes_back() {
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::write(root.join("file"), "0123456789").expect("file");
    let before = Made::read(&root);
    let mut cache = ScanCache::new();
    let key = snapshot(&root, &bench.objects, &limits(10, 1), &mut cache).expect("just fits").key;

    fs::write(root.join("more"), "x").expect("file");
    let error = snapshot(&root, &bench.objects, &limits(100, 1), &mut cache).expect_err("entries");
    assert_eq!(named(error), ("treeEntries", 2));
    let error = snapshot(&root, &bench.objects, &limits(10, 9), &mut cache).expect_err("bytes");
    assert_eq!(named(error), ("treeBytes", 11));
    assert_eq!(usage(&root, &limits(10, 9)).expect("usage").bytes(), 11);

    let sparse = fs::File::create(root.join("sparse")).expect("file");
    sparse.set_len(4 << 40).expect("sparse");
    let error = snapshot(&root, &bench.objects, &TreeLimits::from(&Default::default()), &mut cache);
    assert_eq!(named(error.expect_err("sparse")), ("treeBytes", (4 << 40) + 11));

    let cache = restore_in_place(&key, &bench.objects, &root, &limits(10, 1), None, cache).expect("restored");
    assert_eq!((Made::read(&root), cache.key()), (before, Some(key)));
}

#[test]
fn a_chain_of_ten_thousand_directories_is_refused_and_removed() {
    let bench = Bench::in_memory();
    let root = bench.dir("root");
    fs::write(root.join("file"), "x").expect("file");
    let mut cache = ScanCache::new();
    let key = bench.snapshot(&root, &mut cache).key;
    let mut dir = rustix::fs::open(&root, rustix::fs::OFlags::DIRECTORY, Mode::empty()).expect("open");
    for depth in 0..10_000 {
        rustix::fs::mkdirat(&dir, "d", Mode::RWXU).expect("mkdir");
        if depth % 100 == 0 {
            rustix::fs::mkdirat(&dir, "side", Mode::empty()).expect("mkdir");
        }
        dir = rustix::fs::openat(&dir, "d", rustix::fs::OFlags::DIRECTORY, Mode::empty()).expect("open");
    }
    let counted = usage(&root, &TreeLimits::UNBOUNDED).expect("usage");
    assert_eq!(named(TreeLimits::UNBOUNDED.check(&counted).expect_err("deep")), ("treeDepth", TREE_DEPTH + 1));
    let error = snapshot(&root, &bench.objects, &TreeLimits::UNBOUNDED, &mut cache).expect_err("deep");
    assert_eq!(named(error), ("treeDepth", TREE_DEPTH + 1));
    restore_in_place(&key, &bench.objects, &root, &TreeLimits::UNBOUNDED, None, cache).expect("restored");
    assert_eq!(bench.key(&root), key);
}

#[test]
fn a_file_that_changes_while_it_is_read_is_stored_as_it_was_read() {
    let bench = Bench::new();
    let root = bench.dir("root");
    let file = root.join("file");
    fs::write(&file, vec![b'a'; 1 << 20]).expect("file");
    let stop = AtomicBool::new(false);
    let mut cache = ScanCache::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = fs::OpenOptions::new().append(true).open(&file).expect("open");
            while !stop.load(Ordering::Relaxed) {
                file.write_all(b"more").expect("append");
            }
        });
        for round in 0..20 {
            let key = bench.snapshot(&root, &mut cache).key;
            bench.restore(&key, &bench.dir(&format!("round{round}")));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(bench.snapshot(&root, &mut cache).key, bench.key(&root), "and is read again when it rests");
}

#[test]
fn a_large_file_goes_through_in_pieces() {
    let bench = Bench::new();
    let root = bench.dir("root");
    let bytes: Vec<u8> = (0..20_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(root.join("large"), &bytes).expect("file");
    let key = bench.key(&root);
    let there = bench.dir("there");
    bench.restore(&key, &there);
    assert!(fs::read(there.join("large")).expect("read") == bytes);
    let digest = ContentKey::of(&bytes);
    fs::write(bench.object_file(&digest), b"broken").expect("corrupt it");
    fs::remove_file(there.join("large")).expect("removed");
    let error = restore(&key, &bench.objects, &there, &TreeLimits::UNBOUNDED, None).expect_err("corrupt").to_string();
    assert!(error.contains(&digest.to_string()) && error.contains("large"), "{error}");
    assert!(!there.join("large").exists(), "nothing unverified stays");
}

#[test]
fn a_corrupt_or_lost_object_is_named_and_a_scan_without_cache_mends_it() {
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::write(root.join("file"), "contents").expect("file");
    let key = bench.key(&root);
    let there = bench.dir("there");
    for (object, path) in [(ContentKey::of(b"contents"), "file"), (key, "there")] {
        fs::write(bench.object_file(&object), b"broken").expect("corrupt it");
        for word in ["corrupt", "is not in"] {
            let error = restore(&key, &bench.objects, &there, &TreeLimits::UNBOUNDED, None).expect_err("refused");
            let error = error.to_string();
            for part in [word, path, &object.to_string()] {
                assert!(error.contains(part), "{part}: {error}");
            }
        }
        assert_eq!(bench.key(&root), key, "stored again");
        bench.restore(&key, &there);
        remove_contents(&there).expect("emptied");
    }
}

#[test]
fn hostile_manifests_are_refused() {
    let bench = Bench::new();
    let there = bench.dir("there");
    let now = Time { secs: 1, nanos: 0 };
    let put = |entries: Vec<Entry>| {
        let manifest = Manifest { mode: 0o755, mtime: now, entries };
        bench.objects.put_blocking(manifest.encode()).expect("stored")
    };
    let refused =
        |key: ContentKey| restore(&key, &bench.objects, &there, &limits(1000, 1000), None).expect_err("refused");
    let directory = |name: &[u8], key: ContentKey| Entry {
        name: name.to_vec(),
        kind: EntryKind::Directory { digest: *key.as_bytes() },
    };
    let empty = put(Vec::new());
    for name in ["..", "a/b", "/tmp/x"] {
        let error = refused(put(vec![directory(name.as_bytes(), empty)]));
        assert!(matches!(error, TreeError::Manifest { problem: ManifestProblem::Name(_), .. }), "{error}");
    }
    let text = bench.objects.put_blocking("no manifest").expect("stored");
    assert!(matches!(refused(text), TreeError::Manifest { problem: ManifestProblem::NotAManifest, .. }));

    // One directory ten times in the next, and so on: ten thousand million of them in eleven objects.
    let bomb = (0..10).fold(empty, |inner, _| put((b'a'..b'k').map(|name| directory(&[name], inner)).collect()));
    assert_eq!(named(refused(bomb)), ("treeEntries", 1001));
    let chain = (0..300).fold(empty, |inner, _| put(vec![directory(b"d", inner)]));
    assert_eq!(named(refused(chain)), ("treeDepth", TREE_DEPTH + 1));
    let file = EntryKind::File { mode: 0o644, mtime: now, size: 3, digest: *text.as_bytes() };
    let error = refused(put(vec![Entry { name: b"f".to_vec(), kind: file }]));
    assert!(matches!(error, TreeError::Manifest { problem: ManifestProblem::Length { found: 11, .. }, .. }), "{error}");
}

#[test]
fn links_are_never_followed() {
    let bench = Bench::new();
    let (root, outside) = (bench.dir("root"), bench.dir("outside"));
    fs::create_dir(root.join("dir")).expect("dir");
    fs::write(root.join("dir/file"), "inside").expect("file");
    let mut cache = ScanCache::new();
    let key = bench.snapshot(&root, &mut cache).key;
    fs::write(outside.join("file"), "outside").expect("file");
    fs::remove_dir_all(root.join("dir")).expect("removed");
    std::os::unix::fs::symlink(&outside, root.join("dir")).expect("link");
    std::os::unix::fs::symlink("loop", root.join("loop")).expect("link");
    assert_eq!(bench.snapshot(&root, &mut cache).usage.entries, 2);
    restore_in_place(&key, &bench.objects, &root, &TreeLimits::UNBOUNDED, None, cache).expect("restored");
    assert_eq!(fs::read_to_string(outside.join("file")).expect("untouched"), "outside");
    assert_eq!(fs::read_to_string(root.join("dir/file")).expect("restored"), "inside");
}

#[test]
fn names_that_are_exchanged_all_the_time_are_in_every_snapshot() {
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::create_dir(root.join("door")).expect("dir");
    fs::write(root.join("door/file"), "inside").expect("file");
    std::os::unix::fs::symlink("door", root.join("link")).expect("link");
    fs::write(root.join("plain"), vec![b'x'; 1000]).expect("file");
    let exchanging = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while exchanging.load(Ordering::Relaxed) {
                for (one, other) in [("door", "link"), ("link", "plain")] {
                    let (one, other) = (root.join(one), root.join(other));
                    rustix::fs::renameat_with(CWD, one, CWD, other, rustix::fs::RenameFlags::EXCHANGE)
                        .expect("exchange");
                }
            }
        });
        let mut cache = ScanCache::new();
        // Each name may be seen as the folder with its file.
        let limits = limits(5_000, 6);
        let wrong = (0..500).find_map(|_| match snapshot(&root, &bench.objects, &limits, &mut cache) {
            // Two of the three may be seen as the same one, but each name is seen as something.
            Ok(found) => (found.usage.entries < 3).then(|| format!("{:?}", found.usage)),
            Err(error) => Some(error.to_string()),
        });
        exchanging.store(false, Ordering::Relaxed);
        assert_eq!(wrong, None);
    });
}

#[test]
fn hard_links_become_files_of_their_own() {
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::write(root.join("a"), "one").expect("file");
    fs::hard_link(root.join("a"), root.join("b")).expect("link");
    let key = bench.key(&root);
    bench.restore(&key, &root);
    fs::write(root.join("a"), "two").expect("file");
    assert_eq!(fs::read_to_string(root.join("b")).expect("read"), "one");
}

#[test]
fn a_restored_tree_is_its_owners() {
    use std::os::unix::fs::MetadataExt;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let bench = Bench::new();
    let root = bench.dir("root");
    fs::create_dir(root.join("dir")).expect("dir");
    fs::write(root.join("dir/file"), "x").expect("file");
    std::os::unix::fs::symlink("file", root.join("dir/link")).expect("link");
    let key = bench.key(&root);
    let owner = Some(Owner { uid: 61_111, gid: 61_112 });
    restore(&key, &bench.objects, &root, &TreeLimits::UNBOUNDED, owner).expect("restored");
    for path in ["", "dir", "dir/file", "dir/link"] {
        let meta = fs::symlink_metadata(root.join(path)).expect("metadata");
        assert_eq!((meta.uid(), meta.gid()), (61_111, 61_112), "{path}");
    }
    assert_eq!(bench.key(&root), key);
}

#[test]
fn what_cannot_be_read_or_written_is_named_with_what_to_do() {
    let bench = Bench::new();
    let missing = bench.folder.path().join("missing");
    let error = snapshot(&missing, &bench.objects, &TreeLimits::UNBOUNDED, &mut ScanCache::new()).expect_err("missing");
    assert!(error.to_string().contains("missing"), "{error}");
}
