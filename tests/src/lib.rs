//! Shared fixtures of the cross-crate tests, and what their subjects do.

pub mod attempts;
pub mod executor_attempts;
pub mod ground;
