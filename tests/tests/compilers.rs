//! Compilers that run once and misbehave: each ends in its band, within its bound, and nothing of it is left.

use gg_tests::ground::is_root;
use gg_tests::yard::{Agent, Yard, reachable};
use gg_worker::confine::Namespaces;
use gg_worker::language::seam::Compiled;
use gg_worker::language::{PrepareError, ToolchainEnd, ToolchainFailure};
use std::time::Duration;

/// Yards of each way in which compilers are held here.
fn yards(name: &str) -> impl Iterator<Item = Yard> {
    let ways: &[Namespaces] =
        if is_root() { &[Namespaces::WherePossible, Namespaces::Never] } else { &[Namespaces::WherePossible] };
    ways.iter().map(move |way| Yard::named(name, *way))
}

fn run(agent: &mut Agent<'_>, args: &[&str], timeout: Duration) -> Result<Compiled, PrepareError> {
    let compiler = reachable("broken-compiler");
    agent.prepare(|context| context.compiler(&compiler).reads(&compiler).args(args).timeout(timeout).run()).0
}

const LONG: Duration = Duration::from_secs(60);

fn fails(agent: &mut Agent<'_>, how: &str, timeout: Duration) -> ToolchainFailure {
    match run(agent, &[how], timeout) {
        Err(PrepareError::Toolchain(failure)) => failure,
        other => panic!("{how}: {other:?}"),
    }
}

#[test]
fn one_that_hangs_is_ended_at_its_time_out() {
    for yard in yards("gg-yard") {
        let timeout = Duration::from_millis(300);
        let failure = fails(&mut yard.agent(), "hang", timeout);
        assert_eq!(failure.end, ToolchainEnd::TimedOut(timeout));
        assert!(failure.end.is_death() && failure.compiler == "broken-compiler");
        yard.assert_nothing_is_left();
    }
}

#[test]
fn a_gigabyte_of_diagnostics_is_read_to_its_end_and_its_head_kept() {
    let yard = Yard::new();
    let compiled = run(&mut yard.agent(), &["flood"], LONG).expect("it ran");
    assert_eq!((compiled.status, compiled.truncated, compiled.stderr.len()), (1, true, 8 << 20));
    assert!(compiled.stderr.starts_with(b"error: and this is wrong"));
}

#[test]
fn bytes_that_are_no_text_are_kept_as_they_are_and_told_as_text() {
    let yard = Yard::new();
    let compiled = run(&mut yard.agent(), &["bytes"], LONG).expect("it ran");
    assert_eq!((compiled.status, compiled.stderr.as_slice()), (1, b"error: \xff\xfe in \xc3\x28\n".as_slice()));
    let failure = fails(&mut yard.agent(), "bytes-and-die", LONG);
    assert_eq!(failure.end, ToolchainEnd::Signalled(libc::SIGABRT));
    assert!(failure.tail.chars().count() <= 2_000 && failure.tail.contains('\u{fffd}'), "{failure}");
}

#[test]
fn a_workspace_that_is_filled_and_memory_and_processes_without_end_are_bounds_that_name_themselves() {
    for (number, yard) in yards("gg-yard").enumerate() {
        let ways = [("stretch", "2147483648"), ("forks", "processes"), ("files", "100000")];
        // A hundred thousand files take their time: once.
        for (how, bound) in &ways[..ways.len() - number] {
            let failure = fails(&mut yard.agent(), how, LONG);
            assert_eq!(failure.end, ToolchainEnd::Bound, "{how}: {failure}");
            assert!(failure.tail.contains(bound), "{how}: {failure}");
            assert!(failure.end.is_death(), "the canary is asked");
        }
        yard.assert_nothing_is_left();
    }
}

#[test]
fn memory_without_end_does_not_outlive_its_bound() {
    let yard = Yard::new();
    let failure = fails(&mut yard.agent(), "memory", LONG);
    // Its own end where the system gives it no more, or ours.
    assert!(matches!(failure.end, ToolchainEnd::Bound | ToolchainEnd::Signalled(_)), "{failure}");
    yard.assert_nothing_is_left();
}

#[test]
fn grandchildren_end_with_their_compiler() {
    for yard in yards("gg-yard") {
        let compiled = run(&mut yard.agent(), &["grandchildren"], LONG).expect("it ran");
        assert_eq!(compiled.status, 3);
        yard.assert_nothing_is_left();
    }
}

#[test]
fn a_workspace_whose_path_has_spaces_and_quotes_is_as_good_as_another() {
    for yard in yards("gg 'yard' of \"spaces\" $(and) \\ more ") {
        let mut agent = yard.agent();
        let compiler = reachable("broken-compiler");
        let (made, _) = agent.prepare(|context| {
            let workspace = context.workspace()?;
            workspace.write("the program", b"text").expect("written");
            let output = workspace.output().join("what is 'made'");
            let to = workspace.from_work(&output);
            context.compiler(&compiler).reads(&compiler).args(["upper", "the program"]).arg(to).run()?;
            Ok::<_, PrepareError>(context.workspace()?.read(&output, 100).expect("a file"))
        });
        assert_eq!(made, Ok(Some(b"TEXT".to_vec())));
    }
}
