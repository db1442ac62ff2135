//! The encoding of a core module as a component, with the pinned preview 1 reactor adapter. The module is an attacker's, so
//! a panic within is caught, and what the module itself brings about is told apart.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use wit_component::ComponentEncoder;

/// The module that the adapter stands for.
const ADAPTED: &str = "wasi_snapshot_preview1";

/// Why a module is no component. It is the program's doing: it asks for something that its host has not, or brought a
/// description of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError(pub String);

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EncodeError {}

/// Encodes modules with one adapter.
#[derive(Debug, Clone)]
pub struct Encoder {
    adapter: Arc<[u8]>,
}

impl Encoder {
    /// An encoder with this adapter.
    pub fn new(adapter: Vec<u8>) -> Encoder {
        Encoder { adapter: adapter.into() }
    }

    /// The component of a core module, validated.
    pub fn encode(&self, module: &[u8]) -> Result<Vec<u8>, EncodeError> {
        let encoded = catch_unwind(AssertUnwindSafe(|| {
            ComponentEncoder::default()
                .validate(true)
                .module(module)
                .and_then(|encoder| encoder.adapter(ADAPTED, &self.adapter))
                .and_then(|mut encoder| encoder.encode())
        }));
        match encoded {
            Ok(Ok(component)) => Ok(component),
            Ok(Err(error)) => Err(EncodeError(format!("{error:#}"))),
            Err(_) => Err(EncodeError("the program's own description of itself cannot be read".to_owned())),
        }
    }
}
