//! The turn loop of one agent. What is decided is decided by pure functions over what the log says ([`next`],
//! [`AgentState`]); [`drive`] does the reading, asking, sending and writing around them.

mod checking;
mod decide;
mod keeping;
mod notices;
mod state;
mod turn_loop;

pub use decide::{Next, next};
pub use notices::notices;
pub use state::{AgentState, Progress};
pub use turn_loop::{Closed, Drive, Interrupt, Observer, RunError, Stage, Tokens, drive};
