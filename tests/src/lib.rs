//! What crosses the crates: collections of programs and what runs them, attacks and what their subjects do.

pub mod attempts;
pub mod authorship;
pub mod executor_attempts;
pub mod ground;
pub mod isolation;
pub mod module_builds;
pub mod modules;
pub mod programs;
pub mod subject;
pub mod yard;
