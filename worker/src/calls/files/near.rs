//! Names that may have been meant.

use crate::calls::near::near;
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
    let mut names: Vec<String> =
        entries.flatten().take(LOOKED_AT).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // What is there by that very name is a link that leads nowhere.
    names.retain(|other| other != name);
    names.sort();
    near(name, names.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
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
        assert_eq!(near("main.rz")[0], "main.rs");
        assert_eq!(near("makefile")[0], "Makefile");
        assert_eq!(near("other.md")[0], "other.txt");
        assert_eq!(near("src/lob.rs")[0], "src/lib.rs");
        assert_eq!(near("config.toml"), ["src/deep/config.toml"]);
        assert_eq!(near("scr/lib.rs"), ["src/lib.rs"]);
        assert_eq!(near("zzzzzz"), Vec::<String>::new());
        assert_eq!(near(".."), Vec::<String>::new());
    }
}
