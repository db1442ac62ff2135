//! A worker: prepares and runs the turns of agents. It knows no model and no prompt.

pub mod artifacts;
pub mod calls;
pub mod component;
pub mod confine;
pub mod contract;
pub mod executor;
pub mod home;
pub mod language;
pub mod service;

pub use service::{Worker, WorkerError, WorkerSettings};
