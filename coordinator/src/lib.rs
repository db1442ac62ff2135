//! Drives agents: asks a model, sends its programs to workers, shows it what came of them, and writes down what happened.
//! It knows no compiler.

pub mod agent;
pub mod cli;
pub mod clock;
pub mod dispatch;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod farm;
pub mod model;
pub mod plan;
pub mod prompts;
pub mod records;
pub mod reference;
pub mod session;
#[cfg(test)]
mod testing;
pub mod window;
