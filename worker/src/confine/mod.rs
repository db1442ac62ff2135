//! Confinement of processes: the pieces that a process puts on itself, and children that run one hostile job each.

pub mod credentials;
pub mod denials;
pub mod landlock;
pub mod limits;
pub mod namespaces;
pub mod root;
pub mod seccomp;
