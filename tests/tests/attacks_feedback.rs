//! Programs that speak to the host as their guest does, past the SDK. Whatever they say of themselves, how they ended is
//! the engine's to say, and it is never the farm's failure.

use gg_common::arm::Arm;
use gg_common::outcome::Outcome;
use gg_tests::ground::{Agent, Ground, failure, log, usual_way};

/// The guest's own bindings, which no program can import, but one that looks for them can find.
const SAY: &str = r#"
import os, sys
shim = sys.unraisablehook.__globals__
core, f = shim["_core"], shim["_feedback"]
def say(kind, code=None, exit_code=None, message="it is said", location=None):
    f.error(f.Failure(kind, code, exit_code, message, location))
"#;

/// What is said before the end.
const SAID: &[&str] = &[
    "say(f.FailureKind.ERROR)",
    "say(f.FailureKind.API_ERROR)",
    "say(f.FailureKind.API_ERROR, core.ErrorCode.OTHER, -2**31)",
    "say(f.FailureKind.UNKNOWN_NAME, message='')",
    "say(f.FailureKind.EXIT)",
    "say(f.FailureKind.EXIT, exit_code=0)",
    "say(f.FailureKind.EXIT, exit_code=-2**31)",
    "say(f.FailureKind.OUT_OF_MEMORY)",
    "say(f.FailureKind.STACK_OVERFLOW)",
    "say(f.FailureKind.DEADLOCK)",
    "say(f.FailureKind.ERROR, message='\\0\\x1b[2J' * 100_000, location=f.Location(2**32 - 1, 0))",
    "for n in range(2_000): say(f.FailureKind.ERROR, message=str(n)); f.returned('x' * n); f.log('')",
    "f.module_error('../../etc', f.Failure(f.FailureKind.EXIT, None, 9, 'x' * 1_000_000, None))",
    "f.returned('y' * 5_000_000)",
];

/// How the program ends, and the outcome that it then has whatever was said; none where what was said may choose among the
/// program's own failures.
const ENDS: &[(&str, Option<&str>)] = &[
    ("pass", Some("completed")),
    ("os._exit(0)", Some("completed")),
    ("os._exit(7)", Some("program_exit")),
    ("raise ValueError('its own')", Some("program_error")),
    ("sys.exit(3)", Some("program_exit")),
    ("os.abort()", None),
];

#[test]
fn nothing_that_a_program_says_of_itself_is_the_farms_failure() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python]);
    let mut agent = Agent::new("main", Arm::Python);
    for said in SAID {
        for (end, outcome) in ENDS {
            let result = agent.turn(&worker, &format!("{SAY}\n{said}\n{end}\n"));
            let seen = result.outcome.error_type().unwrap_or_else(|| "completed".to_owned());
            assert_ne!(seen, "internal_error", "{said}; {end}: {:?}", result.outcome);
            assert!(outcome.is_none_or(|outcome| outcome == seen), "{said}; {end}: {seen}");
        }
    }
    // Nor does it harm who comes next.
    assert_eq!(agent.completes(&worker, "print('well')"), "well\n");
}

#[test]
fn what_is_said_is_bounded() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python]);
    let mut agent = Agent::new("main", Arm::Python);
    let result = agent.turn(&worker, &format!("{SAY}\nsay(f.FailureKind.ERROR, message='x' * 3_000_000)\nos.abort()"));
    assert!(!matches!(result.outcome, Outcome::Internal { .. } | Outcome::Completed), "{:?}", result.outcome);
    assert!(failure(&result).len() < 1_100_000, "{} bytes", failure(&result).len());
    let result = agent.turn(&worker, &format!("{SAY}\nsay(f.FailureKind.ERROR, message='x' * 40_000_000)"));
    assert_eq!(result.outcome.error_type().as_deref(), Some("program_limit"), "{:?}", result.outcome);
    assert!(failure(&result).contains("limit callBytes"), "{}", failure(&result));
    let result = agent.turn(&worker, &format!("{SAY}\nfor n in range(300): f.log('x' * 100_000)"));
    assert_eq!(result.outcome, Outcome::Completed);
    assert!(result.log_dropped_bytes > 20_000_000 && ground.log(&result).len() <= 1 << 20, "{}", log(&result).len());
}
