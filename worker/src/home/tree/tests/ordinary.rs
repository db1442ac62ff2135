//! The same as an ordinary user, who owns what it cannot read.

use super::*;
use std::os::unix::process::CommandExt;

#[test]
#[expect(clippy::disallowed_methods, reason = "the test starts itself again as another user")]
fn an_ordinary_user_has_the_same_trees() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // Where the tests are built may be shut to others, so that they are run from elsewhere.
    let folder = tempfile::tempdir().expect("tempdir");
    chmod(folder.path(), 0o755);
    let copy = folder.path().join("tests");
    let tests = std::env::current_exe().expect("the tests");
    if std::fs::hard_link(&tests, &copy).is_err() {
        std::fs::copy(&tests, &copy).expect("copied");
        chmod(&copy, 0o755);
    }
    let output = std::process::Command::new(&copy)
        .args(["home::tree::tests", "--test-threads=2"])
        .current_dir("/")
        .uid(65_534)
        .gid(65_534)
        .output()
        .expect("started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("mode_000"), "{said}");
}
