//! The collections of small programs: ordinary files under `tests/programs/ARM/`, each beside a `NAME.expect.toml` that
//! says what the model must read (`tests/programs/README.md` documents its fields).
//!
//! A [`Collection`] finds the files, a [`Bench`] runs each program in a worker as an agent of its own, and
//! [`compare::differences`] says where what came of it is not what its file expects. Nothing stops at the first
//! difference: a change of one sentence is seen in all the programs that it touches.

mod bench;
mod bless;
mod collection;
pub mod compare;
mod diff;
mod expectation;

pub use bench::{Bench, Follower, Observed, ShownView};
pub use collection::{Collection, Program};
pub use expectation::{
    ClosedTurn, Earlier, EndingExpected, Expectation, FileExpected, FollowerExpected, KeptExpected, OutcomeName,
    StandingView, ViewExpected,
};
