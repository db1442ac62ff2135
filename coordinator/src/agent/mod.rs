//! The turn loop of one agent. What is decided is decided by pure functions over what the log says ([`next`],
//! [`AgentState`]); [`drive`] does the reading, asking, sending and writing around them.

mod checking;
mod decide;
mod error;
mod keeping;
mod notices;
mod stage;
mod state;
mod turn_loop;

pub use decide::{Next, next};
pub use error::RunError;
pub use notices::notices;
pub use stage::{Closed, Interrupt, Observer, Stage, Tokens};
pub use state::{AgentState, Progress};
pub use turn_loop::{Drive, drive};
