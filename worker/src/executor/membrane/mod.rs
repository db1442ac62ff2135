//! The membrane: what a guest imports, one file an interface. Each call is marshalled to the worker; only `feedback` is
//! taken here, since it says nothing that anybody else would decide on.

mod board;
mod context;
mod delegation;
mod docs;
mod feedback;
mod files;
mod memories;
mod programs;
mod session;
mod shell;
mod skills;
mod tasks;
mod views;

/// `core` declares no function.
impl crate::contract::core::Host for crate::executor::run::Program {}
