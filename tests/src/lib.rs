//! What crosses the crates: collections of programs, and what runs them.

pub mod programs;
