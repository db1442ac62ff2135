//! What reads and rewrites the sources of programs and modules beside their compilers: nothing here runs in a worker, since
//! a source may be written so that its reader dies of it. The binary `gg-source` is started as a compiler is.

pub mod exports;
pub mod places;
mod stack;
pub mod typescript;
