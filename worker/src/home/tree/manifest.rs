//! The stored form of one directory.
//!
//! `gg-tree`, one byte of version, then the [`Manifest`] in postcard. Entries are in the order of their names' bytes, so
//! that equal directories have equal bytes.

use super::error::ManifestProblem;
use gg_common::content::ContentKey;
use serde::{Deserialize, Serialize};

/// The version of the stored form.
pub const MANIFEST_VERSION: u8 = 1;
const MAGIC: &[u8] = b"gg-tree";

/// A point in time, as file systems keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Time {
    /// Seconds since 1970, negative before.
    pub secs: i64,
    /// Nanoseconds since that second.
    pub nanos: u32,
}

/// One directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Its own permissions, within 0o777.
    pub mode: u16,
    /// Its own time of modification.
    pub mtime: Time,
    /// What it holds, by name.
    pub entries: Vec<Entry>,
}

/// Something in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The name: bytes, which may be no UTF-8.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
}

/// What something in a directory is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryKind {
    /// A regular file.
    File {
        /// Permissions, within 0o777.
        mode: u16,
        /// When it was modified.
        mtime: Time,
        /// Its length.
        size: u64,
        /// The digest of its contents.
        digest: [u8; 32],
    },
    /// A symlink.
    Link {
        /// When it was made.
        mtime: Time,
        /// Where it leads, which may be anywhere or nowhere.
        target: Vec<u8>,
    },
    /// A directory. Its mode and time are in its own manifest.
    Directory {
        /// The digest of its manifest.
        digest: [u8; 32],
    },
}

impl Manifest {
    /// The stored form.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + self.entries.len() * 96);
        bytes.extend_from_slice(MAGIC);
        bytes.push(MANIFEST_VERSION);
        postcard::to_extend(self, bytes).expect("a manifest has no form that postcard cannot write")
    }

    /// Reads the stored form and checks it, so that every name in it can be used.
    pub fn decode(bytes: &[u8]) -> Result<Manifest, ManifestProblem> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ManifestProblem::NotAManifest)?;
        let (&found, rest) = rest.split_first().ok_or(ManifestProblem::NotAManifest)?;
        if found != MANIFEST_VERSION {
            return Err(ManifestProblem::Version { found, known: MANIFEST_VERSION });
        }
        let (manifest, rest): (Manifest, _) =
            postcard::take_from_bytes(rest).map_err(|e| ManifestProblem::Encoding(e.to_string()))?;
        if !rest.is_empty() {
            return Err(ManifestProblem::Encoding(format!("{} bytes are left over", rest.len())));
        }
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), ManifestProblem> {
        check_meta(b".", self.mode, self.mtime)?;
        let mut last: &[u8] = b"";
        for entry in &self.entries {
            let name = || String::from_utf8_lossy(&entry.name).into_owned();
            if !is_file_name(&entry.name) {
                return Err(ManifestProblem::Name(name()));
            }
            if entry.name.as_slice() <= last {
                return Err(ManifestProblem::Order(name()));
            }
            last = &entry.name;
            match &entry.kind {
                EntryKind::File { mode, mtime, .. } => check_meta(&entry.name, *mode, *mtime)?,
                EntryKind::Link { mtime, target } => {
                    check_meta(&entry.name, 0, *mtime)?;
                    if target.is_empty() || target.len() > 4095 || target.contains(&0) {
                        return Err(ManifestProblem::Range { what: "link target", name: name() });
                    }
                }
                EntryKind::Directory { .. } => {}
            }
        }
        Ok(())
    }
}

fn is_file_name(name: &[u8]) -> bool {
    (1..=255).contains(&name.len()) && name != b"." && name != b".." && !name.iter().any(|b| matches!(b, b'/' | 0))
}

fn check_meta(name: &[u8], mode: u16, mtime: Time) -> Result<(), ManifestProblem> {
    let what = match (mode > 0o777, mtime.nanos >= 1_000_000_000) {
        (true, _) => "mode",
        (_, true) => "time",
        _ => return Ok(()),
    };
    Err(ManifestProblem::Range { what, name: String::from_utf8_lossy(name).into_owned() })
}

impl EntryKind {
    /// The key of what is inside: a file's contents, a directory's manifest.
    pub fn key(&self) -> Option<ContentKey> {
        match self {
            EntryKind::File { digest, .. } | EntryKind::Directory { digest } => Some(ContentKey::from_bytes(*digest)),
            EntryKind::Link { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time { secs: 1_700_000_000, nanos: 5 };

    fn manifest(names: &[&[u8]]) -> Manifest {
        let file = EntryKind::File { mode: 0o644, mtime: NOW, size: 3, digest: [7; 32] };
        let entries = names.iter().map(|name| Entry { name: name.to_vec(), kind: file.clone() }).collect();
        Manifest { mode: 0o755, mtime: NOW, entries }
    }

    #[test]
    fn a_manifest_reads_back() {
        let mut made = manifest(&[b"a", b"b\xff"]);
        made.entries.push(Entry { name: b"c".to_vec(), kind: EntryKind::Directory { digest: [1; 32] } });
        let link = EntryKind::Link { mtime: Time { secs: -5, nanos: 1 }, target: b"../\xfe".to_vec() };
        made.entries.push(Entry { name: b"d".to_vec(), kind: link });
        assert_eq!(Manifest::decode(&made.encode()), Ok(made));
    }

    #[test]
    fn hostile_names_are_refused() {
        let long = [b'x'; 256];
        for name in [&b""[..], b".", b"..", b"a/b", b"/etc", b"a\0b", &long] {
            let problem = Manifest::decode(&manifest(&[name]).encode()).expect_err("refused");
            assert!(matches!(problem, ManifestProblem::Name(_)), "{name:?}: {problem}");
        }
        for names in [[&b"a"[..], b"a"], [b"b", b"a"]] {
            let problem = Manifest::decode(&manifest(&names).encode()).expect_err("refused");
            assert!(matches!(problem, ManifestProblem::Order(_)), "{names:?}: {problem}");
        }
    }

    #[test]
    fn other_versions_and_other_bytes_are_refused() {
        let good = manifest(&[b"a"]).encode();
        let mut other = good.clone();
        other[MAGIC.len()] = 9;
        assert_eq!(Manifest::decode(&other), Err(ManifestProblem::Version { found: 9, known: MANIFEST_VERSION }));
        assert_eq!(Manifest::decode(b"hello"), Err(ManifestProblem::NotAManifest));
        for cut in MAGIC.len() + 1..good.len() {
            assert!(matches!(Manifest::decode(&good[..cut]), Err(ManifestProblem::Encoding(_))), "cut at {cut}");
        }
        let mut longer = good;
        longer.push(0);
        assert!(matches!(Manifest::decode(&longer), Err(ManifestProblem::Encoding(_))));
    }

    #[test]
    fn modes_times_and_targets_out_of_range_are_refused() {
        let range = |manifest: Manifest| match Manifest::decode(&manifest.encode()) {
            Err(ManifestProblem::Range { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(range(Manifest { mode: 0o4755, ..manifest(&[]) }), "mode");
        assert_eq!(range(Manifest { mtime: Time { secs: 0, nanos: 1_000_000_000 }, ..manifest(&[]) }), "time");
        let mut bad = manifest(&[b"a"]);
        bad.entries[0].kind = EntryKind::Link { mtime: NOW, target: b"x\0".to_vec() };
        assert_eq!(range(bad), "link target");
    }
}
