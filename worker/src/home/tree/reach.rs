//! Which objects a stored tree is made of.

use super::manifest::{EntryKind, Manifest};
use gg_common::content::ContentKey;
use gg_common::objects::Objects;
use std::collections::BTreeSet;

/// Adds the objects of a tree to what was reached already, the directories and the files. What is reached already is not
/// gone into again. A directory that is not there or does not read is added, and nothing below it is known.
pub fn reach(tree: &ContentKey, objects: &Objects, reached: &mut BTreeSet<ContentKey>) {
    let mut open = vec![*tree];
    while let Some(key) = open.pop() {
        if !reached.insert(key) {
            continue;
        }
        let Ok(bytes) = objects.get_blocking(&key) else { continue };
        let Ok(manifest) = Manifest::decode(&bytes) else { continue };
        for entry in manifest.entries {
            match entry.kind {
                EntryKind::Directory { digest } => open.push(ContentKey::from_bytes(digest)),
                EntryKind::File { digest, .. } => {
                    reached.insert(ContentKey::from_bytes(digest));
                }
                EntryKind::Link { .. } => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ScanCache, TreeLimits, snapshot};
    use super::*;
    use gg_common::objects::Durability;

    #[test]
    fn a_tree_reaches_its_directories_and_files_and_no_more() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).expect("objects");
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("a/b")).expect("dirs");
        std::fs::write(root.join("a/b/file"), "inside").expect("file");
        // A file that has the form of a directory is a file.
        let outside = ContentKey::of(b"outside");
        let other = folder.path().join("other");
        std::fs::create_dir(&other).expect("dir");
        std::fs::write(other.join("f"), "outside").expect("file");
        let mut cache = ScanCache::new();
        let feigned = snapshot(&other, &objects, &TreeLimits::UNBOUNDED, &mut cache).expect("snapshot").key;
        std::fs::write(root.join("feigned"), objects.get_blocking(&feigned).expect("bytes")).expect("file");
        let mut cache = ScanCache::new();
        let tree = snapshot(&root, &objects, &TreeLimits::UNBOUNDED, &mut cache).expect("snapshot").key;
        let mut reached = BTreeSet::new();
        reach(&tree, &objects, &mut reached);
        assert_eq!(reached.len(), 5, "root, a, b, two files");
        assert!(reached.contains(&ContentKey::of(b"inside")) && reached.contains(&feigned));
        assert!(!reached.contains(&outside), "what only a file says is not reached");
    }
}
