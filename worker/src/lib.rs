//! A worker: prepares and runs the turns of agents. It knows no model and no prompt.

pub mod calls;
pub mod confine;
pub mod home;
pub mod service;

pub use service::{StartError, Worker, WorkerSettings};
