//! Where what came of a program is not what its file expects.

use super::diff::diff;
use super::{EndingExpected, Expectation, FileExpected, Observed, ShownView, ViewExpected};
use gg_common::arm::Arm;
use gg_common::job::Effect;

/// What must never be read by a model: names of the farm's own parts, and places of the host.
const OURS: &[&str] = &["wasmtime", "gg-programs-", "/root/", "/home/", "/proc/self"];

/// As much of an arm's own: of its guest, or of what its programs are compiled against and where.
fn ours(arm: Arm) -> &'static [&'static str] {
    match arm {
        Arm::Python | Arm::Javascript => &[
            "_gg_guest",
            "_gg_app",
            "wit_world",
            "componentize",
            "poll_loop",
            "gg/internal",
            "gg/prelude",
            "rquickjs",
            "wasi:",
            "panicked",
        ],
        Arm::Typescript => &[
            "_gg_guest",
            "gg/internal",
            "gg/prelude",
            "rquickjs",
            "wasi:",
            "panicked",
            "/w/",
            "../out",
            "/toolchains/",
            "/artifacts/",
            "declarations/",
            "gg-source",
            "swc",
            "goroutine",
        ],
        Arm::Rust => &[
            "/w/",
            "../out/",
            "/toolchains/",
            "/registry/",
            "lib/rustlib",
            "program.wasm",
            "gg_instances",
            "wit_bindgen",
            "wasi_snapshot_preview1[",
            "bindings::Guest",
            "__main_void",
            "cabi_",
            "rustc unexpectedly",
        ],
    }
}

/// Every difference, in words.
pub fn differences(expected: &Expectation, observed: &Observed) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(outcome) = expected.outcome
        && outcome.id() != observed.outcome
    {
        found.push(format!(
            "outcome: {} expected, {} found{}",
            outcome.id(),
            observed.outcome,
            observed.error_text.as_deref().map(|text| format!(":\n{}", diff("", text))).unwrap_or_default()
        ));
    }
    if let Some(error_type) = &expected.error_type {
        value(&mut found, "errorType", Some(error_type), observed.error_type.as_ref());
    }
    whole(&mut found, "errorText", expected.error_text.as_deref(), observed.error_text.as_deref().unwrap_or_default());
    parts(&mut found, "errorText", &expected.error_text_contains, observed.error_text.as_deref().unwrap_or_default());
    if expected.location.is_some() {
        value(&mut found, "location", expected.location.as_ref(), observed.location.as_ref());
    }
    if expected.exit_code.is_some() {
        value(&mut found, "exitCode", expected.exit_code.as_ref(), observed.exit_code.as_ref());
    }
    whole(&mut found, "log", expected.log.as_deref(), &observed.log);
    parts(&mut found, "log", &expected.log_contains, &observed.log);
    if let Some(length) = expected.log_length {
        value(&mut found, "logLength", Some(&length), Some(&observed.log.len()));
    }
    if let Some(least) = expected.log_dropped_at_least
        && observed.log_dropped_bytes < least
    {
        found.push(format!("logDroppedAtLeast: {least} expected, {} found", observed.log_dropped_bytes));
    }
    whole(&mut found, "stderr", expected.stderr.as_deref(), &observed.stderr);
    parts(&mut found, "stderr", &expected.stderr_contains, &observed.stderr);
    if let Some(wanted) = &expected.views {
        views(&mut found, wanted, &observed.views);
    }
    if let Some(refusals) = &expected.refusals {
        value(&mut found, "refusals", Some(refusals), Some(&observed.refusals));
    }
    if let Some(ending) = &expected.ending {
        value(&mut found, "ending", effect_of(ending).as_ref(), observed.ending.as_ref());
    }
    if let Some(wanted) = &expected.followed {
        let names: Vec<_> = wanted.iter().map(|one| (one.follows.as_str(), one.outcome.id())).collect();
        let seen: Vec<_> = observed.followed.iter().map(|one| (one.follows.as_str(), one.outcome)).collect();
        value(&mut found, "followed", Some(&names), Some(&seen));
        for (wanted, seen) in wanted.iter().zip(&observed.followed) {
            let text = seen.error_text.as_deref().unwrap_or_default();
            whole(&mut found, &format!("errorText of {}", wanted.follows), wanted.error_text.as_deref(), text);
            whole(&mut found, &format!("log of {}", wanted.follows), wanted.log.as_deref(), &seen.log);
        }
    }
    if expected.kept.is_some() {
        value(&mut found, "kept", expected.kept.as_ref(), Some(&observed.kept));
    }
    for file in &expected.tree {
        tree(&mut found, file, observed);
    }
    leaks(&mut found, observed);
    found
}

fn value<T: PartialEq + std::fmt::Debug>(found: &mut Vec<String>, name: &str, wanted: Option<&T>, seen: Option<&T>) {
    let shown = |value: Option<&T>| value.map_or("none".to_owned(), |value| format!("{value:?}"));
    if wanted != seen {
        found.push(format!("{name}: {} expected, {} found", shown(wanted), shown(seen)));
    }
}

fn whole(found: &mut Vec<String>, name: &str, wanted: Option<&str>, seen: &str) {
    if let Some(wanted) = wanted
        && wanted != seen
    {
        found.push(format!("{name}:\n{}", diff(wanted, seen)));
    }
}

fn parts(found: &mut Vec<String>, name: &str, wanted: &[String], seen: &str) {
    for part in wanted.iter().filter(|part| !seen.contains(part.as_str())) {
        found.push(format!("{name} lacks {part:?}; it is:\n{}", diff("", seen)));
    }
}

fn views(found: &mut Vec<String>, wanted: &[ViewExpected], seen: &[ShownView]) {
    let wanted_names: Vec<_> =
        wanted.iter().map(|view| (view.kind.as_str(), view.selector.as_str(), view.region.as_deref())).collect();
    let seen_names: Vec<_> =
        seen.iter().map(|view| (view.kind.as_str(), view.selector.as_str(), view.region.as_deref())).collect();
    if wanted_names != seen_names {
        found.push(format!("views: {wanted_names:?} expected, {seen_names:?} found"));
        return;
    }
    for (wanted, seen) in wanted.iter().zip(seen) {
        let name = format!("view {}", wanted.selector);
        whole(found, &name, wanted.body.as_deref(), &seen.body);
        parts(found, &name, &wanted.body_contains, &seen.body);
    }
}

fn effect_of(ending: &EndingExpected) -> Option<Effect> {
    match ending.clone() {
        EndingExpected::None {} => None,
        EndingExpected::Finish { summary } => Some(Effect::Finish { summary }),
        EndingExpected::Approve { summary } => Some(Effect::Approve { summary }),
        EndingExpected::RequestChanges { items } => Some(Effect::RequestChanges { items }),
    }
}

fn tree(found: &mut Vec<String>, file: &FileExpected, observed: &Observed) {
    let path = observed.tree.path().join(&file.path);
    let there = std::fs::read(&path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match (&file.contents, there) {
        (Some(wanted), Some(seen)) => whole(found, &format!("tree {}", file.path), Some(wanted), &seen),
        (Some(_), None) => found.push(format!("tree {}: there is no such file", file.path)),
        (None, _) if std::fs::symlink_metadata(&path).is_ok() => {
            found.push(format!("tree {}: it is there, and must not be", file.path));
        }
        (None, _) => {}
    }
}

fn leaks(found: &mut Vec<String>, observed: &Observed) {
    let error_text = observed.error_text.as_deref().unwrap_or_default();
    let mut texts = vec![("errorText", error_text), ("log", &observed.log), ("stderr", &observed.stderr)];
    for run in &observed.followed {
        texts.extend([(run.follows.as_str(), run.error_text.as_deref().unwrap_or_default()), (&run.follows, &run.log)]);
    }
    for (name, text) in texts {
        let spoken: Vec<_> = OURS
            .iter()
            .chain(ours(observed.arm))
            .filter(|ours| text.contains(**ours))
            .map(|o| format!("{o:?}"))
            .collect();
        if !spoken.is_empty() {
            let spoken = spoken.join(", ");
            found
                .push(format!("{name} speaks of {spoken}, which is none of a program's business:\n{}", diff("", text)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OutcomeName;
    use super::*;
    use gg_common::outcome::Location;

    fn observed() -> Observed {
        let tree = tempfile::tempdir().expect("folder");
        std::fs::write(tree.path().join("a.txt"), "a\n").expect("write");
        Observed {
            arm: Arm::Python,
            followed: Vec::new(),
            kept: Default::default(),
            outcome: "failed",
            error_type: Some("program_error".to_owned()),
            error_text: Some("Traceback\nValueError: x\n".to_owned()),
            location: Some(Location { line: 1, column: Some(2) }),
            exit_code: Some(1),
            log: "hello\n".to_owned(),
            log_dropped_bytes: 0,
            stderr: "warned\n".to_owned(),
            views: vec![ShownView { kind: "text".into(), selector: "l".into(), region: None, body: "b".into() }],
            refusals: vec!["shell.shell".to_owned()],
            ending: Some(Effect::Finish { summary: "done".to_owned() }),
            tree,
        }
    }

    /// What `observed` is, stated in full.
    fn right() -> Expectation {
        Expectation {
            outcome: Some(OutcomeName::Failed),
            error_type: Some("program_error".to_owned()),
            error_text: Some("Traceback\nValueError: x\n".to_owned()),
            error_text_contains: vec!["ValueError".to_owned()],
            location: Some(Location { line: 1, column: Some(2) }),
            exit_code: Some(1),
            log: Some("hello\n".to_owned()),
            log_contains: vec!["ell".to_owned()],
            log_length: Some(6),
            stderr: Some("warned\n".to_owned()),
            stderr_contains: vec!["warn".to_owned()],
            views: Some(vec![ViewExpected {
                kind: "text".into(),
                selector: "l".into(),
                region: None,
                body: Some("b".into()),
                body_contains: vec!["b".into()],
            }]),
            refusals: Some(vec!["shell.shell".to_owned()]),
            ending: Some(EndingExpected::Finish { summary: "done".to_owned() }),
            tree: vec![
                FileExpected { path: "a.txt".into(), contents: Some("a\n".into()) },
                FileExpected { path: "b.txt".into(), contents: None },
            ],
            ..Expectation::default()
        }
    }

    #[test]
    fn each_field_that_is_wrong_is_told_and_nothing_else() {
        assert_eq!(differences(&right(), &observed()), [] as [&str; 0]);
        assert_eq!(
            differences(&Expectation::default(), &observed()),
            [] as [&str; 0],
            "nothing stated, nothing compared"
        );
        type Broken = (&'static str, fn(&mut Expectation));
        let broken: [Broken; 18] = [
            ("outcome", |e| e.outcome = Some(OutcomeName::Completed)),
            ("errorType", |e| e.error_type = Some("program_exit".into())),
            ("errorText", |e| e.error_text = Some("Traceback\nValueError: y\n".into())),
            ("errorText lacks", |e| e.error_text_contains = vec!["KeyError".into()]),
            ("location", |e| e.location = Some(Location { line: 1, column: Some(3) })),
            ("exitCode", |e| e.exit_code = Some(2)),
            ("log", |e| e.log = Some("hello".into())),
            ("log lacks", |e| e.log_contains = vec!["world".into()]),
            ("logLength", |e| e.log_length = Some(7)),
            ("logDroppedAtLeast", |e| e.log_dropped_at_least = Some(1)),
            ("stderr", |e| e.stderr = Some(String::new())),
            ("stderr lacks", |e| e.stderr_contains = vec!["Error".into()]),
            ("views", |e| e.views = Some(Vec::new())),
            ("view l", |e| e.views.iter_mut().flatten().for_each(|view| view.body = Some("c".into()))),
            ("refusals", |e| e.refusals = Some(Vec::new())),
            ("ending", |e| e.ending = Some(EndingExpected::None {})),
            ("tree b.txt", |e| e.tree[1].contents = Some("b".into())),
            ("tree a.txt", |e| e.tree[0].contents = None),
        ];
        for (name, breaks) in broken {
            let mut expected = right();
            breaks(&mut expected);
            let found = differences(&expected, &observed());
            assert_eq!(found.len(), 1, "{name}: {found:#?}");
            assert!(found[0].starts_with(name), "{name}: {found:#?}");
        }
    }

    #[test]
    fn a_name_of_ours_is_a_difference_wherever_it_stands() {
        let mut seen = observed();
        seen.stderr = "File \"/x/_gg_guest/run.py\"".to_owned();
        assert_eq!(differences(&Expectation::default(), &seen).len(), 1);
        seen.arm = Arm::Rust;
        assert_eq!(differences(&Expectation::default(), &seen), [] as [&str; 0], "it is none of a Rust program's");
        seen.stderr = "error: linking with `/w/toolchains/rust` failed".to_owned();
        let told = differences(&Expectation::default(), &seen);
        assert!(
            matches!(&told[..], [one] if one.starts_with("stderr speaks of \"/w/\", \"/toolchains/\",")),
            "{told:?}"
        );
    }
}
