//! Confinement of processes: the pieces that a process puts on itself, and children that run one hostile job each.
//!
//! A **child** runs a job whose every byte may be hostile: a shell command, a compiler on a hostile program. It is started
//! by a small helper ([`helper`], the binary `gg-child`), never by forking the worker. What holds it:
//!
//! | piece | holds |
//! | --- | --- |
//! | [`credentials`] | no capability, as root a user of the slot, nothing gained by an execution |
//! | [`namespaces`], [`root`] | mounts, processes, network, IPC of its own; a root that shows little of the host |
//! | [`landlock`] | the same paths once more, signals and sockets to the outside (at ABI 6) |
//! | [`denials`] over [`seccomp`] | sockets, mounts, tracing, new namespaces, nodes, memory that nobody counts |
//! | [`limits`] | memory of a process, size of a file, number of processes |
//! | the supervisor | memory and number of the processes together, time, the end of everything |
//!
//! **Confined means**: namespaces and denials, with whatever Landlock there is; or, without namespaces, a user of its own,
//! Landlock at ABI 6 and denials. Anything less is refused with a sentence, unless the settings say
//! [`Confinement::Off`]. Every report states what held.
//!
//! **Nothing of a job outlives it**: not a process that left its session, was stopped, or forks without end; not when the
//! worker dies; not when any one of the helper's processes is killed.
//!
//! What is not bounded, for want of control groups: kernel memory in pipes and socket pairs beyond their own limits, and
//! pages of a shared mapping that no living process has touched.

pub mod cancel;
mod capture;
mod child;
pub mod credentials;
pub mod denials;
pub mod helper;
pub mod landlock;
pub mod limits;
pub mod living;
pub mod locate;
pub mod namespaces;
mod processes;
mod protocol;
pub mod root;
pub mod seccomp;
pub mod shell;
mod started;

pub use capture::{Captured, Part};
pub use child::{ConfineError, Ended, Job, LimitReached, Report, Settings, WATCH_INTERVAL, Watch, run};
pub use processes::nameless_files;
pub use protocol::{Bounds, Confinement, Held, Namespaces};
pub use root::{Mount, MountAccess};
