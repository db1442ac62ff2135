//! From the start of a process to its first result, with a warm cache: nothing compiles a guest on a turn's path.

use super::Problem;
use gg_common::arm::Arm;
use gg_common::figure::{Bound, Figure, Wanted, median, ms};
use gg_worker::language::language;
use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

/// Measures each arm.
pub fn measure(_: &Wanted) -> Result<Vec<Figure>, Problem> {
    const ROUNDS: usize = 11;
    let mut figures = Vec::new();
    for arm in Arm::ALL {
        let mut times = Vec::new();
        for round in 0..=ROUNDS {
            let started = Instant::now();
            #[expect(clippy::disallowed_methods, reason = "this very program, as a user starts it")]
            let mut child = std::process::Command::new("/proc/self/exe")
                .args(["exec", "--arm", arm.id(), "-"])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(Problem::farm)?;
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(language(arm).hello_program().as_bytes()).map_err(Problem::farm)?;
            }
            let status = child.wait().map_err(Problem::farm)?;
            if !status.success() {
                return Err(Problem::farm(format!("worker exec of the {arm} hello ended with {status}")));
            }
            // The first warms the cache.
            if round > 0 {
                times.push(started.elapsed());
            }
        }
        let time = median(times);
        figures.push(Figure {
            name: match arm {
                Arm::Javascript => "first_result_javascript",
                Arm::Python => "first_result_python",
                Arm::Typescript => "first_result_typescript",
                Arm::Rust => "first_result_rust",
            },
            value: time.as_secs_f64(),
            unit: "s",
            // A compile is in the first result of an arm that has one: it is held to bare rustc elsewhere.
            bound: if language(arm).checker().is_some() { Bound::None } else { Bound::AtMost(0.3) },
            note: format!("worker exec of a hello, start to end: {:.0} ms (median)", ms(time)),
        });
    }
    Ok(figures)
}
