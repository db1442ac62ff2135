//! The library set: which crates are in it, that none of them takes a procedural macro, where cargo left them, and what
//! a turn's rustc is told of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// The target of every program; build.sh builds the set for it.
const TARGET: &str = "wasm32-wasip1";
/// The names of crates that every sysroot has, though the toolchain's tree leaves some of them out.
const SYSROOT: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];
/// The crate that a program is compiled as, and the file that it is compiled from.
const PROGRAM: &str = "program";
/// The stack in linear memory, which lies before the data so that passing it traps. As much as a Rust program's main
/// thread has elsewhere; what is not touched takes no memory of the machine.
const STACK_BYTES: u32 = 8 << 20;
/// The SDK's own name as a crate.
const SDK: &str = "gg";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    targets: Vec<Target>,
    metadata: Option<Settings>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Settings {
    gg: Option<Libraries>,
}

#[derive(Deserialize)]
struct Libraries {
    libraries: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    root: String,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

/// The SDK's dependencies as cargo resolved them for the target.
pub struct Resolved {
    packages: BTreeMap<String, Package>,
    /// What a package is linked with; what its build script takes is not in it.
    linked: BTreeMap<String, Vec<String>>,
    root: String,
    /// The packages that a program may name, as the SDK's manifest lists them.
    named: Vec<String>,
}

impl Resolved {
    pub fn read(metadata: &str) -> Result<Self> {
        let metadata: Metadata = serde_json::from_str(metadata).context("this is not what cargo metadata prints")?;
        let root = metadata.resolve.root;
        let linked = metadata.resolve.nodes.into_iter().map(|node| {
            let runs = |dependency: &Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
            (node.id, node.deps.into_iter().filter(runs).map(|dependency| dependency.pkg).collect())
        });
        let linked: BTreeMap<String, Vec<String>> = linked.collect();
        let packages: BTreeMap<String, Package> =
            metadata.packages.into_iter().map(|package| (package.id.clone(), package)).collect();
        let settings = packages.get(&root).and_then(|package| package.metadata.as_ref()?.gg.as_ref());
        let names =
            settings.context("the SDK's manifest has no [package.metadata.gg] with libraries")?.libraries.clone();
        let direct = linked.get(&root).map(Vec::as_slice).unwrap_or_default();
        let mut named = vec![];
        for name in names {
            let id = direct.iter().find(|id| packages.get(*id).is_some_and(|package| package.name == name));
            named.push(id.with_context(|| format!("{name} is listed as a library and is no dependency"))?.clone());
        }
        Ok(Resolved { packages, linked, root, named })
    }

    /// Refuses a procedural macro, at any depth: it is a library of the machine that builds, and a crate whose metadata
    /// names one cannot be loaded on another.
    pub fn check(&self) -> Result<()> {
        for id in self.reached(std::slice::from_ref(&self.root)) {
            let package = self.package(&id)?;
            if package.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro")) {
                let way = self.way_to(&id).join(" → ");
                bail!(
                    "{} {} is a procedural macro, which no library of a program may need ({way})",
                    package.name,
                    package.version
                );
            }
        }
        Ok(())
    }

    fn package(&self, id: &str) -> Result<&Package> {
        self.packages.get(id).with_context(|| format!("cargo metadata does not describe {id}"))
    }

    fn reached(&self, from: &[String]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = from.to_vec();
        while let Some(id) = open.pop() {
            open.extend(self.linked.get(&id).into_iter().flatten().filter(|id| !found.contains(*id)).cloned());
            found.insert(id);
        }
        found
    }

    /// The names from the SDK to a package.
    fn way_to(&self, wanted: &str) -> Vec<String> {
        let mut ways = vec![vec![self.root.clone()]];
        while !ways.is_empty() {
            let mut longer = vec![];
            for way in ways {
                let last = way.last().map(String::as_str).unwrap_or_default();
                if last == wanted {
                    return way.iter().map(|id| self.packages.get(id).map_or(id.clone(), |p| p.name.clone())).collect();
                }
                for next in self.linked.get(last).into_iter().flatten().filter(|next| !way.contains(next)) {
                    longer.push(way.iter().chain([next]).cloned().collect());
                }
            }
            ways = longer;
        }
        vec![]
    }
}

/// Where cargo left the library of each package.
pub fn built(messages: &str) -> Result<BTreeMap<String, PathBuf>> {
    #[derive(Deserialize)]
    struct Message {
        reason: String,
        #[serde(default)]
        package_id: String,
        #[serde(default)]
        filenames: Vec<PathBuf>,
    }
    let mut built = BTreeMap::new();
    for line in messages.lines() {
        let message: Message = serde_json::from_str(line).with_context(|| format!("cargo printed {line:?}"))?;
        let library = message.filenames.into_iter().find(|file| file.extension().is_some_and(|is| is == "rlib"));
        if let (true, Some(library)) = (message.reason == "compiler-artifact", library) {
            built.insert(message.package_id, library);
        }
    }
    Ok(built)
}

/// What the worker needs to know to compile a program: `toolchain.json`.
///
/// In an argument, `{libraries}` stands for the folder of the libraries, and `{key}` for a module's key.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Toolchain {
    version: u32,
    /// What `rustc -vV` must print: a library is read by the very compiler that built it.
    compiler: String,
    /// The value of RUSTUP_TOOLCHAIN.
    release: String,
    target: String,
    /// The name of a program's file, in which it lies in the folder that rustc runs in.
    source: String,
    /// The folder of the libraries in the artifacts.
    libraries: String,
    /// The reactor adapter in the artifacts, with which a program's module is encoded.
    adapter: String,
    /// What a program may name beside the standard library.
    externs: Vec<Extern>,
    /// Names that no module's key may be.
    reserved: BTreeSet<String>,
    arguments: Arguments,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extern {
    name: String,
    version: String,
    file: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Of every compile; the file, `-o` and an `--extern` for each loaded module come after them.
    common: Vec<String>,
    /// Of a program's compile, beside the common ones.
    program: Vec<String>,
    /// Of a code module's, beside the common ones.
    module: Vec<String>,
}

impl Toolchain {
    /// What rustc is told of a program, or of the code module of a key.
    pub fn arguments(&self, artifacts: &Path, module: Option<&str>) -> Vec<String> {
        let own = if module.is_some() { &self.arguments.module } else { &self.arguments.program };
        let libraries = artifacts.join(&self.libraries);
        let said = self.arguments.common.iter().chain(own);
        said.map(|argument| {
            argument.replace("{libraries}", &libraries.to_string_lossy()).replace("{key}", module.unwrap_or_default())
        })
        .collect()
    }
}

/// Copies the set into the artifacts, and says how it is used.
pub fn collect(
    resolved: &Resolved,
    built: &BTreeMap<String, PathBuf>,
    compiler: &str,
    sysroot: &Path,
    output: &Path,
) -> Result<Toolchain> {
    let folder = output.join("libraries");
    std::fs::create_dir(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    let mut files = BTreeMap::new();
    for id in resolved.reached(std::slice::from_ref(&resolved.root)) {
        let package = resolved.package(&id)?;
        let library = built.get(&id).with_context(|| format!("cargo built no library of {}", package.name))?;
        let name = library.file_name().and_then(|name| name.to_str()).context("a library has no name")?;
        std::fs::copy(library, folder.join(name)).with_context(|| format!("failed to copy {}", library.display()))?;
        files.insert(id, name.to_owned());
    }
    let externs = [&resolved.root]
        .into_iter()
        .chain(&resolved.named)
        .map(|id| {
            let package = resolved.package(id)?;
            let library = package.targets.iter().find(|target| target.kind.iter().any(|kind| kind == "lib"));
            let name = library.with_context(|| format!("{} has no library", package.name))?.name.replace('-', "_");
            Ok(Extern { name, version: package.version.clone(), file: files[id].clone() })
        })
        .collect::<Result<Vec<_>>>()?;
    // rustc links a crate that the program's text refers to, and the world's `run` is in the SDK: what a program that
    // refers to nothing of it needs is named to the linker.
    let of_set = resolved.reached(&resolved.named);
    let archives = files.iter().filter(|(id, _)| !of_set.contains(*id)).map(|(_, file)| file);
    let release =
        compiler.lines().find_map(|line| line.strip_prefix("release: ")).context("rustc states no release")?;

    let mut common: Vec<String> = [
        "--edition=2024",
        &format!("--target={TARGET}"),
        "-Cpanic=abort",
        "-Awarnings",
        "-Copt-level=s",
        "-Ccodegen-units=1",
        "-Cembed-bitcode=no",
        "--error-format=json",
        "-Ldependency={libraries}",
    ]
    .map(str::to_owned)
    .into();
    common.extend(externs.iter().map(|of| format!("--extern={}={{libraries}}/{}", of.name, of.file)));
    let mut program =
        [&format!("--crate-name={PROGRAM}"), "--crate-type=bin", "-Cstrip=debuginfo"].map(str::to_owned).to_vec();
    program.extend(archives.map(|file| format!("-Clink-arg={{libraries}}/{file}")));
    program.push(format!("-Clink-arg=-zstack-size={STACK_BYTES}"));
    program.extend(["run", "cabi_realloc"].map(|name| format!("-Clink-arg=--export={name}")));
    Ok(Toolchain {
        version: 1,
        compiler: compiler.to_owned(),
        release: release.to_owned(),
        target: TARGET.to_owned(),
        source: "program.rs".to_owned(),
        libraries: "libraries".to_owned(),
        adapter: "adapter.wasm".to_owned(),
        reserved: reserved(&externs, sysroot)?,
        externs,
        arguments: Arguments { common, program, module: vec!["--crate-name={key}".into(), "--crate-type=lib".into()] },
    })
}

/// The SDK, the library set, the program's own name and the sysroot's crates.
fn reserved(externs: &[Extern], sysroot: &Path) -> Result<BTreeSet<String>> {
    let mut names: BTreeSet<String> = externs.iter().map(|of| of.name.clone()).collect();
    names.extend([PROGRAM, SDK].into_iter().chain(SYSROOT).map(str::to_owned));
    for entry in std::fs::read_dir(sysroot).with_context(|| format!("failed to list {}", sysroot.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let library = name.strip_prefix("lib").and_then(|name| name.strip_suffix(".rlib"));
        names.extend(library.and_then(|name| name.rsplit_once('-')).map(|(name, _)| name.to_owned()));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn package(name: &str, kind: &str) -> Value {
        json!({ "id": name, "name": name, "version": "1.0.0", "targets": [{ "name": name, "kind": [kind] }], "metadata": null })
    }

    fn node(name: &str, deps: &[(&str, Option<&str>)]) -> Value {
        let deps: Vec<Value> =
            deps.iter().map(|(pkg, kind)| json!({ "pkg": pkg, "dep_kinds": [{ "kind": kind }] })).collect();
        json!({ "id": name, "deps": deps })
    }

    fn resolved(kind: Option<&str>) -> Resolved {
        let mut sdk = package("gg", "lib");
        sdk["metadata"] = json!({ "gg": { "libraries": ["serde"] } });
        let metadata = json!({
            "packages": [sdk, package("serde", "lib"), package("serde_derive", "proc-macro")],
            "resolve": {
                "root": "gg",
                "nodes": [
                    node("gg", &[("serde", None)]),
                    node("serde", &[("serde_derive", kind)]),
                    node("serde_derive", &[]),
                ],
            },
        });
        Resolved::read(&metadata.to_string()).expect("reads")
    }

    #[test]
    fn a_procedural_macro_is_refused_with_the_way_to_it() {
        let error = resolved(None).check().expect_err("refused").to_string();
        assert!(error.contains("gg → serde → serde_derive"), "{error}");
        assert!(resolved(Some("build")).check().is_ok(), "what a build script takes is not linked");
    }

    #[test]
    fn a_listed_library_must_be_a_dependency() {
        let mut sdk = package("gg", "lib");
        sdk["metadata"] = json!({ "gg": { "libraries": ["regex"] } });
        let metadata = json!({ "packages": [sdk], "resolve": { "root": "gg", "nodes": [node("gg", &[])] } });
        let error = Resolved::read(&metadata.to_string()).err().expect("refused").to_string();
        assert!(error.contains("regex"), "{error}");
    }

    #[test]
    fn the_libraries_of_cargos_messages_are_found() {
        let line = json!({ "reason": "compiler-artifact", "package_id": "a", "filenames": ["/t/liba-1.rmeta", "/t/liba-1.rlib"] });
        let other = json!({ "reason": "build-finished", "success": true });
        let found = built(&format!("{line}\n{other}\n")).expect("reads");
        assert_eq!(found["a"], Path::new("/t/liba-1.rlib"));
    }
}
