//! Hostile native code in an executor: it confines itself as an executor does, by the same call, and then tries what its
//! program could try that had taken it over. With `--unconfined` it skips the confinement.
//!
//! Descriptor 0 leads to the test, as it leads to the worker in an executor. The variables are read before.

use gg_tests::attempts::{self, Target};
use gg_tests::executor_attempts;
use gg_worker::executor::engine::{Threads, default_wasm_stack, engine};
use gg_worker::executor::{clock, confinement, tree_watch};
use std::os::fd::OwnedFd;

fn main() {
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let mut target = Target::from_environment();
    let assignment = serde_json::from_str(&of("ASSIGNMENT")).expect("an assignment");
    let guest = std::fs::File::open(of("GUEST")).expect("a guest");
    let guest = executor_attempts::keep_open(OwnedFd::from(guest));
    let left_open = of("LEFT_OPEN").parse().unwrap_or(-1);
    let engine = engine(Threads::One, default_wasm_stack()).expect("an engine");
    clock::start_epoch_timer(&engine).expect("a timer");
    target.tree = of("TREE");
    if std::env::args().nth(1).as_deref() != Some("--unconfined") {
        match confinement::confine(&assignment) {
            Ok(folders) => target.tree = folders.work.display().to_string(),
            Err(error) => {
                println!("refused: {error}");
                return;
            }
        }
        tree_watch::reserve_descriptors().expect("descriptors");
    }
    executor_attempts::run(&target, 0, guest, left_open);
    attempts::run(&target);
}
