//! Executors: processes of their own, one an active agent, in which programs run.
//!
//! The worker starts an executor ahead of need: it maps the precompiled guests and waits. When an agent is assigned it is
//! confined, for good, to that agent's tree and a temporary folder, and then it runs one program after another: a store
//! each, from a pre-linked instance. A program's gg calls are marshalled to the worker over a socket pair and block the
//! executor's one thread; WASI is served inside. The executor holds no secret and can start nothing; killing it at any
//! moment costs one turn.
//!
//! What runs where: [`process`] is the executor's own main loop, [`run`] one program, [`membrane`] the marshalling (one
//! file an interface); [`handle`] is the worker's side of the socket, [`nursery`] starts executors ahead of need, and
//! [`precompiled`] keeps the engine's native form of the guests.

pub mod allocator;
pub mod clock;
pub mod confinement;
pub mod engine;
mod file_streams;
pub mod folders;
pub mod frame;
pub mod handle;
pub mod limiter;
pub mod membrane;
pub mod nursery;
pub mod output;
pub mod precompiled;
pub mod process;
pub mod protocol;
pub mod run;
pub mod tree_watch;

pub use process::run_if_asked;
