//! `coordinator bench` with few agents: its rows, and that nothing is left over. No time is tested.
#![cfg(feature = "embedded")]

use std::process::Output;

fn bench(arguments: &[&str]) -> Output {
    #[expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_coordinator"));
    command.arg("bench").args(arguments).output().expect("the command starts")
}

#[test]
fn each_row_has_its_bound_and_nothing_is_left_over() {
    let output = bench(&["--agents", "8", "--turns", "2", "--past-turns", "5", "--json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    // Whether all bounds hold is for a release build to say.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    let rows = json["figures"].as_array().expect("rows");
    let wanted = [
        ("idle_agent_kib", "KiB", Some("<= 256")),
        ("idle_agent_growth", "ratio", Some("<= 1.1")),
        ("left_over", "count", Some("<= 0")),
        ("loop_ms_a_turn", "ms", Some("<= 1")),
        ("loop_synced_ms_a_turn", "ms", None),
        ("resume_500_s", "s", Some("<= 0.5")),
    ];
    assert_eq!(rows.len(), wanted.len(), "{json:#}");
    for (row, (name, unit, bound)) in rows.iter().zip(wanted) {
        assert_eq!(
            (row["name"].as_str(), row["unit"].as_str(), row["bound"].as_str()),
            (Some(name), Some(unit), bound)
        );
        assert!(row["value"].is_number() && row["holds"].is_boolean() == bound.is_some(), "{row:#}");
        assert!(row["note"].as_str().is_some_and(|note| !note.is_empty()), "{row:#}");
    }
    assert_eq!(rows[2]["value"], 0.0, "{:#}", rows[2]);
}

#[test]
fn a_name_that_no_figure_begins_with_is_a_usage_error() {
    let output = bench(&["--only", "idel"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("idle_agent_kib") && said.contains("resume_500_s"), "{said}");
    assert_eq!(bench(&["--turns", "1"]).status.code(), Some(2), "two are needed to see whether memory grows");
}
