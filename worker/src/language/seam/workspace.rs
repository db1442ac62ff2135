//! The compile workspace: a private tree of one agent, in which a compiler runs. Four directories: where it runs, where it
//! puts what it makes, its home, and its temporary folder.

use crate::home::tree::remove_contents;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, chown};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the compiler runs.
pub(super) const WORK: &str = "work";
/// Where it is told to put what it makes.
pub(super) const OUTPUT: &str = "out";
/// Its home: kept from one preparation to the next, so that its own caches warm.
const HOME: &str = "home";
/// Its temporary folder.
const TEMP: &str = "tmp";
/// The band of loaded modules, within [`WORK`].
pub(super) const MODULES: &str = "modules";

/// Tells apart the workspaces of one moment.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// One agent's compile workspace. Dropped, it is removed.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    owner: Option<(u32, u32)>,
    /// What was laid out once for the agent, by its entry.
    staged: BTreeSet<String>,
    /// The source that each loaded module was built from, and the files that its build made.
    builds: BTreeMap<String, Build>,
    /// How many module builds there were.
    built: u64,
    /// How many preparations it was handed to.
    preparations: u64,
}

/// A module that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// What it was built from.
    pub source: String,
    /// What its build made, within its folder.
    pub artifacts: Vec<PathBuf>,
}

impl Workspace {
    /// A new workspace in `parent`, whose directories belong to `owner` where the worker is root. Nobody has one of its
    /// name: a collision is an error.
    pub fn create(parent: &Path, owner: Option<(u32, u32)>) -> io::Result<Workspace> {
        let moment = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
        let root = parent.join(format!("compile-{}-{moment}-{counter}", std::process::id()));
        // The compiler's user passes through it and lists nothing.
        DirBuilder::new().mode(0o711).create(&root)?;
        let workspace =
            Workspace { root, owner, staged: BTreeSet::new(), builds: BTreeMap::new(), built: 0, preparations: 0 };
        for name in [WORK, OUTPUT, HOME, TEMP] {
            workspace.make_private(&workspace.root.join(name))?;
        }
        Ok(workspace)
    }

    fn make_private(&self, folder: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(folder)?;
        match self.owner {
            Some((uid, gid)) => chown(folder, Some(uid), Some(gid)),
            None => Ok(()),
        }
    }

    /// Readies it for the next preparation: what it makes and its temporary folder are empty, and of where it runs only the
    /// two bands are left: loaded modules, and the entries that the language declares.
    pub(super) fn begin(&mut self, persistent: &[&str]) -> io::Result<()> {
        self.clear(persistent)?;
        self.preparations += 1;
        Ok(())
    }

    /// Empties it but for its home and the two bands.
    pub(super) fn clear(&mut self, persistent: &[&str]) -> io::Result<()> {
        for name in [OUTPUT, TEMP] {
            remove_contents(&self.root.join(name)).map_err(io::Error::other)?;
        }
        let work = self.work();
        for entry in std::fs::read_dir(&work)? {
            let name = entry?.file_name();
            let stays = name == MODULES || persistent.iter().any(|entry| name == *entry);
            if !stays {
                remove(&work.join(name))?;
            }
        }
        Ok(())
    }

    /// Empties it, home and all: what the next finds there is its own.
    pub(super) fn empty(&self) -> io::Result<()> {
        for name in [WORK, OUTPUT, HOME, TEMP] {
            remove_contents(&self.root.join(name)).map_err(io::Error::other)?;
        }
        Ok(())
    }

    /// All of it, for a mount.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the compiler runs.
    pub fn work(&self) -> PathBuf {
        self.root.join(WORK)
    }

    /// Where it puts what it makes.
    pub fn output(&self) -> PathBuf {
        self.root.join(OUTPUT)
    }

    /// A path within it, from where the compiler runs.
    pub fn from_work(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix(self.work()), path.strip_prefix(&self.root)) {
            (Ok(inside), _) => inside.to_owned(),
            (_, Ok(inside)) => Path::new("..").join(inside),
            _ => path.to_owned(),
        }
    }

    /// Writes a file to where the compiler runs. It is new: whatever a compiler left there is not followed.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        write_new(&self.work().join(name), bytes)
    }

    /// What a compiler put into a file of at most `limit` bytes within the workspace; none where there is no such file. A
    /// link is not followed: what it leads to the compiler may not be able to read.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
        use std::io::Read;
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if !file.metadata()?.is_file() {
            return Err(io::Error::other(format!("{} is no regular file", path.display())));
        }
        let mut bytes = Vec::new();
        File::take(file, limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("{} is too large", path.display())));
        }
        Ok(Some(bytes))
    }

    /// The folder that a module's build is kept in for as long as it stays loaded, empty.
    pub fn open_module(&mut self, key: &str) -> io::Result<PathBuf> {
        let modules = self.work().join(MODULES);
        if !modules.exists() {
            self.make_private(&modules)?;
        }
        let folder = modules.join(key);
        remove(&folder)?;
        self.make_private(&folder)?;
        self.builds.remove(key);
        Ok(folder)
    }

    /// Puts a file of a build that was made elsewhere into its module's folder.
    pub fn place(&self, folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut parts = name.components();
        let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        if !is_name {
            return Err(io::Error::other("the name leads elsewhere"));
        }
        write_new(&folder.join(name), bytes)
    }

    /// The folder of a loaded module.
    pub fn module(&self, key: &str) -> PathBuf {
        self.work().join(MODULES).join(key)
    }

    /// Records a module's build: the source that it is of, and the files that it made.
    pub fn record_build(&mut self, key: &str, source: &str, artifacts: Vec<PathBuf>) {
        self.built += 1;
        self.record_fetch(key, source, artifacts);
    }

    /// Records a module's build that was made elsewhere and placed here.
    pub fn record_fetch(&mut self, key: &str, source: &str, artifacts: Vec<PathBuf>) {
        self.builds.insert(key.to_owned(), Build { source: source.to_owned(), artifacts });
    }

    /// Whether a module's build is of this source and all of it is there.
    pub fn holds_build(&self, key: &str, source: &str) -> bool {
        let folder = self.module(key);
        self.builds.get(key).is_some_and(|build| {
            build.source == source && build.artifacts.iter().all(|artifact| folder.join(artifact).is_file())
        })
    }

    /// How many module builds there were.
    pub fn builds(&self) -> u64 {
        self.built
    }

    /// How many preparations it was handed to.
    pub fn preparations(&self) -> u64 {
        self.preparations
    }

    /// Lays something out once for the agent. What it lays out is named by the entries that the language declares as
    /// persistent: the next preparation leaves them.
    pub fn stage_once(&mut self, entries: &[&str], lay_out: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let name = entries.join("\0");
        if self.staged.contains(&name) {
            return Ok(());
        }
        lay_out(&self.work())?;
        self.staged.insert(name);
        Ok(())
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.root) {
            tracing::warn!(folder = %self.root.display(), %error, "a compile workspace could not be removed; its home's next holder does it");
        }
    }
}

/// Writes a file that is not there yet; whatever a compiler left in its place is not followed.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = libc::O_NOFOLLOW;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).custom_flags(flags).open(path)?;
    file.write_all(bytes)
}

/// Removes what is at a path, whatever it is.
fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.is_dir() => return std::fs::remove_file(path),
        Ok(_) => {}
    }
    remove_contents(path).map_err(io::Error::other)?;
    std::fs::remove_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let parent = tempfile::tempdir().expect("tempdir");
        let workspace = Workspace::create(parent.path(), None).expect("workspace");
        (parent, workspace)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .expect("list")
            .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_preparation_finds_nothing_but_the_two_bands_and_the_home() {
        let (parent, mut workspace) = workspace();
        workspace.begin(&["kept"]).expect("begin");
        workspace.write("program.rs", b"first").expect("write");
        let module = workspace.open_module("tools").expect("module");
        std::fs::write(module.join("libtools.rlib"), b"built").expect("write");
        workspace
            .stage_once(&["kept"], |work| {
                std::fs::create_dir(work.join("kept"))?;
                std::fs::write(work.join("kept/library"), b"laid out")
            })
            .expect("staged");
        for folder in [OUTPUT, TEMP, HOME] {
            std::fs::write(workspace.root().join(folder).join("left"), b"behind").expect("write");
        }
        std::fs::create_dir(workspace.work().join("unknown")).expect("mkdir");
        workspace.begin(&["kept"]).expect("begin again");
        assert_eq!(names(&workspace.work()), ["kept", "modules"]);
        assert!(names(&workspace.output()).is_empty() && names(&workspace.root().join(TEMP)).is_empty());
        assert_eq!(names(&workspace.root().join(HOME)), ["left"], "its caches warm once an agent");
        assert_eq!(names(&module), ["libtools.rlib"]);
        workspace.stage_once(&["kept"], |_| Err(io::Error::other("twice"))).expect("laid out before");
        assert_eq!(workspace.preparations(), 2);
        let root = workspace.root().to_owned();
        drop(workspace);
        assert!(!root.exists() && names(parent.path()).is_empty());
    }

    #[test]
    fn a_build_stands_for_its_source_as_long_as_its_files_do() {
        let (_parent, mut workspace) = workspace();
        let folder = workspace.open_module("tools").expect("module");
        std::fs::write(folder.join("libtools.rlib"), b"built").expect("write");
        workspace.record_build("tools", "pub fn a() {}", vec!["libtools.rlib".into()]);
        assert!(workspace.holds_build("tools", "pub fn a() {}"));
        assert!(!workspace.holds_build("tools", "pub fn b() {}"), "another source");
        assert!(!workspace.holds_build("other", "pub fn a() {}"));
        std::fs::remove_file(folder.join("libtools.rlib")).expect("remove");
        assert!(!workspace.holds_build("tools", "pub fn a() {}"), "its file is gone");
        workspace.open_module("tools").expect("again");
        assert!(!workspace.holds_build("tools", "pub fn a() {}"));
        assert_eq!(workspace.builds(), 1);
    }

    #[test]
    fn what_a_compiler_leaves_leads_nowhere() {
        let (_parent, mut workspace) = workspace();
        let link = workspace.output().join("program.wasm");
        std::os::unix::fs::symlink("/etc/hostname", &link).expect("link");
        assert!(workspace.read(&link, 1 << 20).is_err(), "a link is not followed");
        std::os::unix::fs::symlink("/etc/gg-none", workspace.work().join("program.rs")).expect("link");
        assert!(workspace.write("program.rs", b"x").is_err(), "nothing is written through one");
        workspace.begin(&[]).expect("begin");
        workspace.write("program.rs", b"x").expect("it is gone");
        assert_eq!(workspace.read(&workspace.work().join("program.rs"), 1).expect("read"), Some(b"x".to_vec()));
        assert!(workspace.read(&workspace.work().join("program.rs"), 0).is_err(), "too large");
        assert_eq!(workspace.read(&workspace.output().join("none"), 1).expect("read"), None);
    }

    #[test]
    fn a_modules_folder_is_emptied_when_its_key_is_loaded_and_no_other() {
        let (_parent, mut workspace) = workspace();
        let (one, other) = (workspace.open_module("one").expect("one"), workspace.open_module("other").expect("other"));
        for folder in [&one, &other] {
            std::fs::write(folder.join("built"), "by the load before").expect("write");
        }
        assert_eq!(workspace.open_module("one").expect("again"), one);
        assert_eq!((names(&one), names(&other)), (vec![], vec!["built".to_owned()]));
        assert_eq!(one, workspace.work().join("modules/one"));
    }

    #[test]
    fn a_name_tells_the_process_the_moment_and_a_number() {
        let (parent, first) = workspace();
        let second = Workspace::create(parent.path(), None).expect("workspace");
        let parts = |workspace: &Workspace| -> Vec<u128> {
            let name = workspace.root().file_name().expect("a name").to_string_lossy().into_owned();
            name.split('-').skip(1).map(|part| part.parse().expect("a number")).collect()
        };
        let (first, second) = (parts(&first), parts(&second));
        assert_eq!((first[0], first.len()), (std::process::id().into(), 3));
        assert!(first[0] == second[0] && first[1] <= second[1] && first[2] < second[2], "{first:?} {second:?}");
    }

    #[test]
    fn two_workspaces_never_share_a_path() {
        let parent = tempfile::tempdir().expect("tempdir");
        let roots: BTreeSet<PathBuf> = (0..50)
            .map(|_| Workspace::create(parent.path(), None).expect("workspace"))
            .map(|workspace| workspace.root().to_owned())
            .collect();
        assert_eq!(roots.len(), 50);
    }
}
