//! The compiler of the arm, and what it is told: `toolchain.json` of the artifacts, which the build of the library set
//! wrote.

use crate::artifacts::ArtifactSet;
use crate::language::seam::{Compiler, Places, PrepareContext, ask, find_program};
use crate::language::{BareCommand, OpenError};
use gg_common::arm::Arm;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names the compiler.
const VARIABLE: &str = "TCAB_GG_RUSTC";

/// What the artifacts' `toolchain.json` says.
#[derive(Debug, Clone, Deserialize)]
struct Manifest {
    /// What the compiler that built the libraries says of itself (`rustc -vV`): a library is read by no other.
    compiler: String,
    release: String,
    target: String,
    libraries: String,
    adapter: String,
    /// Crates that a module's own would be mistaken for.
    reserved: Vec<String>,
    arguments: Arguments,
}

/// What the compiler is told; `{libraries}` stands for the folder of the libraries, `{key}` for a module's key.
#[derive(Debug, Clone, Deserialize)]
struct Arguments {
    common: Vec<String>,
    program: Vec<String>,
    module: Vec<String>,
}

/// The compiler and what it is told.
#[derive(Debug, Clone)]
pub(super) struct Toolchain {
    rustc: PathBuf,
    /// What it is shown: the tree that it lies in.
    tree: PathBuf,
    release: String,
    /// The folder of the libraries, within the artifacts.
    pub(super) libraries: String,
    /// The adapter, within the artifacts.
    pub(super) adapter: String,
    /// Crates that a module's own would be mistaken for.
    pub(super) reserved: Vec<String>,
    arguments: Arguments,
}

impl Toolchain {
    pub(super) fn open(artifacts: &ArtifactSet, places: &Places) -> Result<Toolchain, OpenError> {
        let path = artifacts.path("toolchain.json");
        let unread = |reason: String| OpenError::Artifacts { arm: Arm::Rust, reason };
        let manifest = std::fs::read(&path).map_err(|error| unread(format!("{}: {error}", path.display())))?;
        let manifest: Manifest =
            serde_json::from_slice(&manifest).map_err(|error| unread(format!("{}: {error}", path.display())))?;
        let found = find_program("rust", VARIABLE, "rustc", places)?;
        let pinned = [("RUSTUP_TOOLCHAIN", manifest.release.as_str())];
        let unusable =
            |program: &Path, reason| OpenError::Unusable { toolchain: "rust", program: program.to_owned(), reason };
        // A shim finds nothing once its home is redirected, so what it stands for is asked now. A link is followed for the
        // same reason: what is shown to a compile is where the compiler really lies.
        let rustc = if found.by_path {
            let sysroot = ask(&found.program, &["--print", "sysroot"], &pinned)
                .map_err(|reason| unusable(&found.program, reason))?;
            PathBuf::from(sysroot.trim()).join("bin/rustc")
        } else {
            found.program.canonicalize().map_err(|error| unusable(&found.program, error.to_string()))?
        };
        let says = ask(&rustc, &["-vV"], &pinned).map_err(|reason| unusable(&rustc, reason))?;
        if says.trim() != manifest.compiler.trim() {
            let release = says.lines().next().unwrap_or_default().to_owned();
            let reason = format!("it is {release}, and the library set was built by rustc {}", manifest.release);
            return Err(unusable(&rustc, reason));
        }
        let tree = rustc.parent().and_then(Path::parent).unwrap_or(Path::new("/")).to_owned();
        let target = ask(&rustc, &["--print", "target-libdir", "--target", &manifest.target], &pinned)
            .map_err(|reason| unusable(&rustc, reason))?;
        if !Path::new(target.trim()).is_dir() {
            let reason = format!("it has no standard library for {}", manifest.target);
            return Err(unusable(&rustc, reason));
        }
        let Manifest { release, libraries, adapter, reserved, arguments, .. } = manifest;
        Ok(Toolchain { rustc, tree, release, libraries, adapter, reserved, arguments })
    }

    /// A run of the compiler, which reads its own tree and the libraries.
    pub(super) fn compiler<'c, 'a>(&self, context: &'c mut PrepareContext<'a>) -> Compiler<'c, 'a> {
        let libraries = context.artifact(&self.libraries);
        context
            .compiler(&self.rustc)
            .env("RUSTUP_TOOLCHAIN", self.release.as_str())
            // Its own path to its libraries goes by way of /proc, which is not shown.
            .env("LD_LIBRARY_PATH", self.tree.join("lib"))
            .reads(&self.tree)
            .reads(&libraries)
    }

    /// The command line of a program's compile, as a person would write it.
    pub(super) fn bare(&self, artifacts: &ArtifactSet, source: &Path, output: &Path) -> BareCommand {
        let mut args: Vec<OsString> =
            self.program_arguments(&artifacts.path(&self.libraries)).into_iter().map(OsString::from).collect();
        args.extend(["-o".into(), output.into(), source.file_name().unwrap_or_default().to_owned()]);
        let env = vec![
            ("RUSTUP_TOOLCHAIN".to_owned(), self.release.clone().into()),
            ("LD_LIBRARY_PATH".to_owned(), self.tree.join("lib").into()),
        ];
        let folder = source.parent().unwrap_or(Path::new("/")).to_owned();
        BareCommand { program: self.rustc.clone(), args, env, folder }
    }

    /// What a program is compiled with.
    pub(super) fn program_arguments(&self, libraries: &Path) -> Vec<String> {
        let libraries = libraries.display().to_string();
        let arguments = self.arguments.common.iter().chain(&self.arguments.program);
        arguments.map(|argument| argument.replace("{libraries}", &libraries)).collect()
    }

    /// What a module is compiled with.
    pub(super) fn module_arguments(&self, libraries: &Path, key: &str) -> Vec<String> {
        let libraries = libraries.display().to_string();
        let arguments = self.arguments.common.iter().chain(&self.arguments.module);
        arguments.map(|argument| argument.replace("{libraries}", &libraries).replace("{key}", key)).collect()
    }
}
