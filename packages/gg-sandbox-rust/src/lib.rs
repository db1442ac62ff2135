//! What a program can ask of its host: one module a subject.
//!
//! A program is a whole Rust program. It reaches a call in full, as in
//! `gg::files::read_text_file(…)`, or under the `use` line that it writes itself. Every call
//! gives a `Result` whose error is [`core::ApiError`], which is a `std::error::Error`, so `?`
//! takes it in a `main` that returns `Result<(), gg::Failure>`.

#![deny(missing_docs, rustdoc::broken_intra_doc_links)]

// Generated from packages/wit by bindings.sh when the SDK is built.
mod bindings;

pub mod board;
pub mod context;
pub mod core;
pub mod delegation;
pub mod docs;
pub mod files;
pub mod memories;
pub mod program;
pub mod programs;
pub mod session;
pub mod shell;
pub mod skills;
pub mod tasks;
pub mod views;

// Linked so that programs find its instances.
use gg_instances as _;
pub use program::Failure;

/// Writes a line to the run's log, which its operator reads and the model does not.
pub fn log(line: &str) {
    bindings::gg::sandbox::feedback::log(line);
}
