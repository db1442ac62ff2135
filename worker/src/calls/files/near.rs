//! Names that may have been meant.

use cap_std::fs::Dir;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// How many names are offered.
const OFFERED: usize = 3;
/// How many entries are looked at for them: a not-found must stay cheap.
const LOOKED_AT: usize = 2_000;

/// At most three paths that resemble `path`, which is not there: similar names in its directory, else the same name
/// elsewhere in the tree.
pub fn near_paths(dir: &Dir, path: &Path) -> Vec<String> {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { return Vec::new() };
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    let similar = similar_in(dir, parent.unwrap_or(Path::new(".")), &name);
    if similar.is_empty() {
        return elsewhere(dir, &name);
    }
    let full = |name: String| parent.map_or(PathBuf::from(&name), |p| p.join(&name)).to_string_lossy().into_owned();
    similar.into_iter().map(full).collect()
}

fn similar_in(dir: &Dir, parent: &Path, name: &str) -> Vec<String> {
    let Ok(entries) = dir.read_dir(parent) else { return Vec::new() };
    let mut similar: Vec<(usize, String)> = entries
        .flatten()
        .take(LOOKED_AT)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter_map(|other| Some((distance_if_near(name, &other)?, other)))
        .collect();
    similar.sort();
    similar.truncate(OFFERED);
    similar.into_iter().map(|(_, name)| name).collect()
}

fn elsewhere(dir: &Dir, name: &str) -> Vec<String> {
    let mut waiting = VecDeque::from([PathBuf::new()]);
    let mut found = Vec::new();
    let mut left = LOOKED_AT;
    while let Some(folder) = waiting.pop_front() {
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let Ok(entries) = dir.read_dir(place) else { continue };
        let mut entries: Vec<_> = entries.flatten().take(left).collect();
        left -= entries.len();
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let path = folder.join(entry.file_name());
            if entry.file_name().to_str() == Some(name) {
                found.push(path.to_string_lossy().into_owned());
                if found.len() == OFFERED {
                    return found;
                }
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && entry.file_name() != ".git" {
                waiting.push_back(path);
            }
        }
    }
    found
}

/// How many characters are to be changed to get from one name to the other, if that is few for their length.
fn distance_if_near(wanted: &str, other: &str) -> Option<usize> {
    let stem = |name: &str| name.split_once('.').map_or(name.len(), |(stem, _)| stem.len());
    let (a, b): (Vec<char>, Vec<char>) =
        (wanted.to_lowercase().chars().collect(), other.to_lowercase().chars().collect());
    if a == b || (stem(wanted) >= 2 && stem(wanted) < wanted.len() && wanted[..stem(wanted)] == other[..stem(other)]) {
        // Upper and lower case, or another extension.
        return Some(0);
    }
    let most = (a.len() / 3).clamp(1, 4);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Two letters that changed places are one change.
    let (mut older, mut old) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut least = (old[j] + usize::from(a[i] != b[j])).min(old[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(older[j - 1] + 1);
            }
            row.push(least);
        }
        (older, old) = (old, row);
    }
    Some(old[b.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;

    #[test]
    fn near_names_are_few_and_similar() {
        let folder = tempfile::tempdir().expect("tempdir");
        for file in ["main.rs", "mian.rs", "main.py", "other.txt", "src/deep/config.toml", "src/lib.rs", "Makefile"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("dirs");
            std::fs::write(path, "").expect("file");
        }
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).expect("dir");
        let near = |path: &str| near_paths(&dir, Path::new(path));
        assert_eq!(near("maim.rs"), ["main.rs", "mian.rs"]);
        assert_eq!(near("makefile"), ["Makefile"]);
        assert_eq!(near("other.md"), ["other.txt"]);
        assert_eq!(near("src/lob.rs"), ["src/lib.rs"]);
        assert_eq!(near("config.toml"), ["src/deep/config.toml"]);
        assert_eq!(near("scr/lib.rs"), ["src/lib.rs"]);
        assert_eq!(near("nothing"), Vec::<String>::new());
        assert_eq!(near(".."), Vec::<String>::new());
    }
}
