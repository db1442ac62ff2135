//! Reads and rewrites the sources of programs. What is read here was written by a model: a nested program may exhaust the
//! stack of whoever parses it, so nothing here runs in a worker. The binary `gg-source` runs confined, as a compiler does.

pub mod commands;
pub mod places;
pub mod typescript;
