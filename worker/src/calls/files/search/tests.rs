use super::super::path::tree_path;
use super::super::problem::ProblemCode;
use super::*;
use cap_std::ambient_authority;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::time::Duration;

struct Tree {
    folder: tempfile::TempDir,
    dir: Dir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Tree {
        let folder = tempfile::tempdir().expect("tempdir");
        let root = folder.path().join("tree");
        fs::create_dir(&root).expect("dir");
        for (path, contents) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("parent")).expect("dirs");
            fs::write(path, contents).expect("file");
        }
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).expect("dir");
        Tree { folder, dir }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn search(&self, query: &str, path: &str, limit: Option<u32>) -> Result<Vec<Hit>, FileProblem> {
        search(&self.dir, query, &tree_path(path)?, limit, Instant::now() + Duration::from_secs(600))
    }

    /// `path:line:text` of each result.
    fn found(&self, query: &str, path: &str) -> Vec<String> {
        let hits = self.search(query, path, None).expect("searched");
        hits.into_iter().map(|hit| format!("{}:{}:{}", hit.path, hit.line, hit.text)).collect()
    }

    fn refused(&self, query: &str) -> String {
        let problem = self.search(query, ".", None).expect_err("refused");
        assert_eq!(problem.code(), ProblemCode::InvalidArgument);
        problem.to_string()
    }
}

#[test]
fn results_are_in_the_order_of_paths_and_lines() {
    let tree = Tree::new(&[
        ("b.txt", "x\nfoo 1\r\nfoo 2"),
        ("a/z", "foo\n"),
        ("a-c", "a foo\n"),
        (".hidden", "foo\n"),
        (".git/config", "foo\n"),
    ]);
    let all = [".hidden:1:foo", "a/z:1:foo", "a-c:1:a foo", "b.txt:2:foo 1", "b.txt:3:foo 2"];
    assert_eq!(tree.found("fo+", "."), all);
    assert_eq!(tree.found("fo+", "/work"), all);
    assert_eq!(tree.found("^foo", "a"), ["a/z:1:foo"]);
    assert_eq!(tree.found("1$", "."), ["b.txt:2:foo 1"], "whatever ends the line");
    assert_eq!(tree.found("FOO", "."), Vec::<String>::new());
    assert_eq!(tree.found("(?i)FOO", "a/z"), ["a/z:1:foo"]);
    let some = tree.search("foo", ".", Some(3)).expect("searched");
    assert_eq!(some.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), [".hidden", "a/z", "a-c"]);
    for limit in [0, 1001] {
        assert!(matches!(tree.search("foo", ".", Some(limit)), Err(FileProblem::Argument(_))));
    }
}

#[test]
fn ignore_files_of_the_tree_are_honoured_and_no_other() {
    let tree = Tree::new(&[
        (".gitignore", "*.log\n/build/\nsub/deep/secret\n"),
        ("a.log", "foo"),
        ("build/out", "foo"),
        ("src/build/in", "foo"),
        ("sub/.gitignore", "!keep.log\n/local\n"),
        ("sub/keep.log", "foo"),
        ("sub/other.log", "foo"),
        ("sub/local", "foo"),
        ("sub/deep/local", "foo"),
        ("sub/deep/secret", "foo"),
        ("sub/.ignore", "quiet\n"),
        ("sub/quiet", "foo"),
        ("b.txt", "foo"),
    ]);
    fs::write(tree.folder.path().join(".gitignore"), "b.txt\n").expect("above the tree");
    let found = |path| tree.found("foo", path).into_iter().map(|f| f.replace(":1:foo", "")).collect::<Vec<_>>();
    assert_eq!(found("."), ["b.txt", "src/build/in", "sub/deep/local", "sub/keep.log"]);
    assert_eq!(found("sub"), ["sub/deep/local", "sub/keep.log"], "the rules above hold below");
    assert_eq!(found("sub/deep"), ["sub/deep/local"]);
    assert_eq!(found("build"), ["build/out"], "what is pointed at is searched");
    assert_eq!(found("a.log"), ["a.log"]);
}

#[test]
fn nothing_outside_and_nothing_special_is_opened() {
    let tree = Tree::new(&[
        ("dir/file", "foo"),
        ("binary", "foo\n\0foo\n"),
        ("late", &format!("foo\n{}\0", "x".repeat(200_000))),
    ]);
    let root = tree.root();
    fs::write(tree.folder.path().join("secret"), "foo").expect("file");
    symlink("..", root.join("up")).expect("link");
    symlink("../secret", root.join("leaves")).expect("link");
    symlink("dir", root.join("inner")).expect("link");
    symlink(".", root.join("dir/loop")).expect("link");
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo"), fifo, rustix::fs::Mode::RWXU, 0).expect("fifo");
    fs::write(root.join(std::ffi::OsStr::from_bytes(b"name\xff")), b"foo \xff").expect("file");
    assert_eq!(tree.found("foo", "."), ["dir/file:1:foo", "name\u{fffd}:1:foo \u{fffd}"]);
    assert_eq!(tree.found("foo", "inner"), ["dir/file:1:foo"], "under its own path");
    for path in ["up", "leaves", "up/secret"] {
        assert!(matches!(tree.search("foo", path, None), Err(FileProblem::Outside(_))), "{path}");
    }
    assert!(matches!(tree.search("foo", "fifo", None), Err(FileProblem::NotRegular { .. })));
    let problem = tree.search("foo", "dirs", None).expect_err("refused");
    assert_eq!(problem.to_string(), "there is no `dirs`; did you mean `dir`?");
}

#[test]
fn a_bad_expression_is_refused_with_its_position() {
    let tree = Tree::new(&[("file", "x")]);
    assert_eq!(tree.refused("é(b"), "the regular expression `é(b` is wrong at character 2: unclosed group");
    assert!(tree.refused(r"\p{Nothing}").contains("at character 1"), "{}", tree.refused(r"\p{Nothing}"));
    assert!(tree.refused(r"ab\nc").contains("at character 3"), "{}", tree.refused(r"ab\nc"));
    assert!(tree.refused("").contains("empty"));
    assert!(tree.refused("(?:a{1000}){1000}{1000}").contains("cannot be used"));
}

#[test]
fn long_lines_are_shortened_around_the_match() {
    let line = format!("{}needle{}", "ä".repeat(2_000), "b".repeat(2_000));
    let tree = Tree::new(&[("long", &line), ("short", &"c".repeat(LINE_CHARS))]);
    let hits = tree.search("needle|c", ".", None).expect("searched");
    let text = &hits[0].text;
    assert_eq!(text.chars().count(), LINE_CHARS + 2);
    assert!(text.starts_with('…') && text.ends_with('…') && text.contains("needle"));
    assert_eq!(text.chars().position(|c| c == 'n'), Some(1 + LEAD_CHARS));
    assert_eq!(hits[1].text.len(), LINE_CHARS);
    assert_eq!(shown(&line, line.len() - 1).chars().count(), LINE_CHARS + 1, "at the end nothing is missing after it");
}

#[test]
fn what_would_take_too_long_is_refused_or_ends_with_the_programs_time() {
    let tree = Tree::new(&[("big", &"ab".repeat(400_000))]);
    let problem = tree.search("(?:[ab]{0,1000}){30}[c-z]", ".", None).expect_err("too large");
    assert!(problem.to_string().contains("cannot be used"), "{problem}");
    let problem = tree.search(&"x".repeat(5_000), ".", None).expect_err("too long").to_string();
    assert!(problem.contains("5000 bytes, more than the 4096"), "{problem}");
    let path = tree_path(".").expect("path");
    assert_eq!(search(&tree.dir, "abab", &path, None, Instant::now()), Err(FileProblem::OutOfTime));
}

#[test]
fn ignore_files_are_read_up_to_a_bound() {
    let long = format!("hidden\n{}", "# long\n".repeat(20_000));
    let tree = Tree::new(&[
        ("small/.gitignore", "hidden\n"),
        ("small/hidden", "foo"),
        ("large/.gitignore", &long),
        ("large/hidden", "foo"),
    ]);
    let hits = tree.search("foo", ".", None).expect("searched");
    assert_eq!(hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), ["large/hidden"]);
}
