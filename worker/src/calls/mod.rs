//! What a program asked for, served.

pub mod files;
