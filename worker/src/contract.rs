//! The contract with programs as Rust types, generated from `packages/wit/gg.wit`. Both sides of the executor's socket
//! use them: the membrane as the host of a guest, the worker as the server of the calls.

#[expect(missing_docs, reason = "generated: the documentation is in the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../packages/wit",
        world: "guest",
        exports: { default: async },
        additional_derives: [serde::Serialize, serde::Deserialize, PartialEq],
    });
}

pub use bindings::gg::sandbox::core::{ApiError, ErrorCode};
pub use bindings::gg::sandbox::{
    board, context, core, delegation, docs, feedback, files, memories, programs, session, shell, skills, tasks, views,
};
pub use bindings::{Guest, GuestPre};

impl ErrorCode {
    /// The name that programs and records write.
    pub fn id(self) -> &'static str {
        match self {
            ErrorCode::InvalidArgument => "invalid-argument",
            ErrorCode::NotFound => "not-found",
            ErrorCode::Conflict => "conflict",
            ErrorCode::Refused => "refused",
            ErrorCode::Unavailable => "unavailable",
            ErrorCode::LimitExceeded => "limit-exceeded",
            ErrorCode::IoError => "io-error",
            ErrorCode::Other => "other",
        }
    }
}
