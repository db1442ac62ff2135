//! The ground that the seam offers a preparation, and the only one: one file a subject.

mod compile;
mod context;
mod daemon;
mod pool;
mod request;
mod shared;
mod site;
mod staging;
mod toolchain;
mod workspace;

pub(crate) use compile::{WORK, tail};
pub use compile::{Compiled, Compiler, ask};
pub(crate) use context::not_started;
pub use context::{Ground, PrepareContext};
pub use daemon::{DaemonPlan, daemon};
pub use pool::{CompilerPool, Counts, Lent};
pub use request::Request;
pub use shared::SharedDir;
pub use site::Site;
pub use toolchain::{Found, Places, ToolchainMissing, find_program};
pub use workspace::Workspace;
