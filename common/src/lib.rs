//! Contracts that the coordinator and the workers share: what can be asked, in which language, what travels, and what
//! is written down. This crate depends on neither of them and starts nothing.

pub mod action;
pub mod arm;
pub mod catalogue;
pub mod ceilings;
pub mod check;
pub mod config;
pub mod content;
pub mod event;
pub mod figure;
pub mod folders;
pub mod job;
pub mod ledger;
pub mod limits;
pub mod memory_store;
pub mod model;
pub mod money;
pub mod objects;
pub mod operation;
pub mod outcome;
pub mod plain;
pub mod profile;
pub mod queue;
pub mod regular;
pub mod reply;
pub mod schema;
pub mod state;
pub mod summary;
pub mod tokens;

/// The version of everything that travels or is stored. Raised when a reader of the old form would misread the new one.
pub const FORMAT_VERSION: u32 = 1;
