//! Compiles in the digest of each arm's sources, so that the worker looks for exactly the artifacts built from them.

#[path = "src/artifacts/sources.rs"]
mod sources;

use std::fmt::Write;
use std::path::Path;

fn main() {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let root = Path::new(&manifest).parent().expect("the crate lies in the workspace");
    let mut table = String::from("&[\n");
    // Every package of an arm, so that one that is registered and has none is found out at its first start.
    let packages = std::fs::read_dir(root.join("packages")).expect("the packages can be listed").flatten();
    let mut arms: Vec<String> = packages
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("gg-sandbox-").map(str::to_owned))
        .collect();
    arms.sort();
    for arm in &arms {
        for input in sources::inputs(arm) {
            println!("cargo::rerun-if-changed={}", root.join(input).display());
        }
        let digest = sources::digest(root, arm).expect("the packages can be read");
        writeln!(table, "    (\"{arm}\", \"{}\"),", digest.to_hex()).expect("a string takes it");
    }
    table.push(']');
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("sources.rs"), table).expect("OUT_DIR can be written");
    println!("cargo::rerun-if-changed=src/artifacts/sources.rs");
    println!("cargo::rerun-if-changed=build.rs");
}
