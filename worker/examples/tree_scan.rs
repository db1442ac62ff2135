//! How long scanning a tree takes: `cargo run --release -p gg-worker --example tree_scan`.
//!
//! It prints, for a small and a large tree, the first snapshot, one of an unchanged tree, one after a single write, the
//! count that is taken while a program runs, and a restore in place. Figures of one machine; nothing is tested.

use gg_common::objects::{Durability, Objects};
use gg_worker::home::tree::{SETTLED_AFTER, ScanCache, TreeLimits, restore, restore_in_place, snapshot, usage};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, directories, files) in [("25 entries", 5, 4), ("100,000 entries", 1_000, 99)] {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("tree");
        make(&root, directories, files)?;
        std::thread::sleep(SETTLED_AFTER * 2);
        let objects = Objects::in_folder(&folder.path().join("store"), Durability::Cached)?;
        let limits = TreeLimits::UNBOUNDED;
        let mut cache = ScanCache::new();

        let began = Instant::now();
        let first = snapshot(&root, &objects, &limits, &mut cache)?;
        println!("{name}: first snapshot {:?} ({} files read)", began.elapsed(), first.files_read);
        println!("{name}: unchanged {:?}", least(|| drop(snapshot(&root, &objects, &limits, &mut cache))));
        println!("{name}: usage {:?}", least(|| drop(usage(&root, &limits))));

        fs::write(root.join("d0/f0"), "another")?;
        let began = Instant::now();
        let changed = snapshot(&root, &objects, &limits, &mut cache)?;
        println!(
            "{name}: one file changed {:?} ({} read, {} directories stored)",
            began.elapsed(),
            changed.files_read,
            changed.directories_stored
        );

        let began = Instant::now();
        restore_in_place(&first.key, &objects, &root, &limits, None, cache)?;
        println!("{name}: undone in place {:?}", began.elapsed());
        let began = Instant::now();
        restore(&first.key, &objects, &folder.path().join("elsewhere"), &limits, None)?;
        println!("{name}: restored elsewhere {:?}", began.elapsed());
    }
    Ok(())
}

fn make(root: &Path, directories: usize, files: usize) -> std::io::Result<()> {
    for directory in 0..directories {
        let directory = root.join(format!("d{directory}"));
        fs::create_dir_all(&directory)?;
        for file in 0..files {
            fs::write(directory.join(format!("f{file}")), format!("{} {file}", directory.display()))?;
        }
    }
    Ok(())
}

/// The least of several times: what the work takes when nothing else does.
fn least(mut work: impl FnMut()) -> Duration {
    let times = (0..20).map(|_| {
        let began = Instant::now();
        work();
        began.elapsed()
    });
    times.min().unwrap_or_default()
}
