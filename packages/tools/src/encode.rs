//! A core module as a component.

use anyhow::{Context, Result};
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};
use wit_component::ComponentEncoder;

/// The adapter that components are encoded with, for the arms whose programs the worker encodes.
pub fn adapter() -> &'static [u8] {
    WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER
}

/// Encodes with the reactor adapter: a guest exports `run` and has no `main` of its own.
pub fn encode(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .module(module)
        .context("the module carries no world (is it linked with the bindings of packages/wit?)")?
        .adapter(WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER)
        .context("the WASI adapter does not fit the module")?
        .validate(true)
        .encode()
        .context("the module is no component of its world")
}
