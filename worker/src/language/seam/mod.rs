//! The ground that the seam offers a preparation, and the only one: one file a subject.

mod compile;
mod context;
mod toolchain;
mod workspace;

pub(crate) use compile::{WORK, tail};
pub use compile::{Compiled, Compiler, ask};
pub(crate) use context::not_started;
pub use context::{Ground, PrepareContext};
pub use toolchain::{Found, Places, ToolchainMissing, find_program};
pub use workspace::Workspace;
