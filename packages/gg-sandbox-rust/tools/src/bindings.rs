//! The SDK's side of `packages/wit`, as Rust. It is generated when the SDK is built, so
//! that no program and no library is compiled with a procedural macro.

use std::path::Path;

use anyhow::{Context, Result, bail};
use wit_bindgen_core::{Files, WorldGenerator, wit_parser::Resolve};

/// The world of a component that is compiled from one program.
const WORLD: &str = "program";

/// The source text of the module `bindings`.
pub fn generate(wit: &Path) -> Result<String> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(wit).with_context(|| format!("failed to read {}", wit.display()))?;
    let world = resolve.select_world(&[package], Some(WORLD))?;
    let options = wit_bindgen_rust::Opts { generate_all: true, format: true, ..Default::default() };
    let mut files = Files::default();
    options.build().generate(&mut resolve, world, &mut files)?;
    let mut files = files.iter();
    let (Some((_, contents)), None) = (files.next(), files.next()) else {
        bail!("the generator wrote something other than one file")
    };
    Ok(String::from_utf8(contents.to_vec())?)
}
