//! An agent's home.

pub mod identity;
pub mod tree;
