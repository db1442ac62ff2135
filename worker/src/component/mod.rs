//! From a core module that a compiler made to a component: its bounds, then the encoding.

mod bounds;
mod encode;

pub use bounds::{BoundReached, check};
pub use encode::{EncodeError, Encoder};
