//! The binary as a worker starts it.

use std::process::Command;

#[test]
fn exports_are_printed_as_json_and_what_is_asked_wrongly_says_how() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gg-source-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    let file = folder.join("tools.py");
    std::fs::write(&file, "def parse(text: str) -> int:\n    \"Reads.\"\n").expect("write");
    #[expect(clippy::disallowed_methods, reason = "runs the binary under test")]
    let run =
        |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_gg-source")).args(arguments).output().expect("runs");
    let file = file.display().to_string();
    let good = run(&["exports", "python", &file]);
    let exports: Vec<gg_source::exports::Export> = serde_json::from_slice(&good.stdout).expect("JSON");
    assert_eq!((exports.len(), exports[0].signature.as_str()), (1, "def parse(text: str) -> int"));
    for (arguments, part) in [
        (&["exports", "cobol", &file][..], "cobol"),
        (&["exports", "rust", "/none/at/all"], "/none/at/all"),
        (&[], "usage"),
    ] {
        let bad = run(arguments);
        let said = String::from_utf8_lossy(&bad.stderr).into_owned();
        assert!(!bad.status.success() && said.contains(part), "{said}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}
