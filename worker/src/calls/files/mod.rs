//! What file calls are made of.
//!
//! Every path that a program gives becomes a [`TreePath`] and is resolved by the kernel beneath the tree's directory
//! (`cap-std`, `openat2` with `RESOLVE_BENEATH`): `..`, symlinks and whatever changes meanwhile lead nowhere else. A link
//! that stays inside the tree is followed; an absolute one is not, even to the tree itself. Nothing here opens a FIFO,
//! socket or device, or waits for one. Where a worker has the means, all of it runs with the agent's own rights
//! ([`crate::home::identity`]).

pub mod edit;
pub mod near;
pub mod open;
pub mod path;
pub mod picture;
pub mod problem;
pub mod search;
pub mod window;
pub mod write;

pub use problem::{FileProblem, ProblemCode};
