//! Hostile native code in a confined job. It is told what to go for by variables that the test sets.
//!
//! `attacker` runs the list, `attacker whoami` says whether it became root by being executed.

use gg_tests::attempts::{self, Target};

fn main() {
    if std::env::args().nth(1).as_deref() == Some("whoami") {
        // SAFETY: cannot fail.
        std::process::exit(if unsafe { libc::geteuid() } == 0 { 42 } else { 0 });
    }
    attempts::run(&Target::from_environment());
}
