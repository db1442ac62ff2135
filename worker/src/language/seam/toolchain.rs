//! Finding a compiler: the place that the operator names, the image's, the user's, then what PATH gives.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where toolchains lie in an image.
const IMAGE: &str = "/opt/gg/toolchains";

/// A compiler that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program.
    pub program: PathBuf,
    /// Whether it is what PATH gives: perhaps a shim, which finds its toolchain by the user's own settings.
    pub by_path: bool,
}

/// No compiler was found, or not the one that is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolchainMissing {
    /// The arm's toolchain.
    pub toolchain: &'static str,
    /// What was tried, in order, and what came of it.
    pub tried: Vec<String>,
}

impl fmt::Display for ToolchainMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the {} toolchain is missing: tried {}; install it: containers/gg-toolchains/{}.sh",
            self.toolchain,
            self.tried.join(", "),
            self.toolchain
        )
    }
}

impl std::error::Error for ToolchainMissing {}

/// Where a compiler is looked for.
#[derive(Debug, Clone)]
pub struct Places {
    /// What the environment says, by the name of a variable.
    pub variables: Vec<(String, OsString)>,
    /// Where the user's own toolchains lie.
    pub toolchains: PathBuf,
    /// PATH.
    pub path: OsString,
    /// How many warm compilers of a kind a pool holds at most.
    pub warm: usize,
}

/// The compiler that the variable names, else `<toolchain>/bin/<name>` of the image's or the user's toolchains, else what
/// PATH gives. A variable that names nothing is an error: whoever set it meant something.
pub fn find_program(
    toolchain: &'static str,
    variable: &str,
    name: &str,
    places: &Places,
) -> Result<Found, ToolchainMissing> {
    let mut tried = Vec::new();
    if let Some((_, value)) = places.variables.iter().find(|(given, value)| given == variable && !value.is_empty()) {
        let program = PathBuf::from(value);
        if is_program(&program) {
            return Ok(Found { program, by_path: false });
        }
        tried.push(format!("{variable}={} (no program is there)", program.display()));
        return Err(ToolchainMissing { toolchain, tried });
    }
    tried.push(format!("{variable} (not set)"));
    for root in [Path::new(IMAGE), &places.toolchains] {
        let program = root.join(toolchain).join("bin").join(name);
        if is_program(&program) {
            return Ok(Found { program, by_path: false });
        }
        tried.push(program.display().to_string());
    }
    for folder in std::env::split_paths(&places.path) {
        let program = folder.join(name);
        if folder.is_absolute() && is_program(&program) {
            return Ok(Found { program, by_path: true });
        }
    }
    tried.push(format!("{name} in PATH"));
    Err(ToolchainMissing { toolchain, tried })
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn program(path: &Path) {
        std::fs::create_dir_all(path.parent().expect("parent")).expect("folder");
        std::fs::write(path, "").expect("write");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("chmod");
    }

    #[test]
    fn a_compiler_is_found_in_order_and_a_missing_one_says_what_was_tried() {
        let root = tempfile::tempdir().expect("tempdir");
        let (own, named, bin) = (root.path().join("toolchains"), root.path().join("named"), root.path().join("bin"));
        let places = |variable: Option<&Path>| Places {
            variables: variable.map(|path| ("TCAB_GG_X".to_owned(), path.into())).into_iter().collect(),
            toolchains: own.clone(),
            path: bin.clone().into(),
            warm: 1,
        };
        let find = |variable| find_program("gg-test", "TCAB_GG_X", "xc", &places(variable));
        let missing = find(None).expect_err("nowhere").to_string();
        for part in
            ["TCAB_GG_X (not set)", "/opt/gg/toolchains/gg-test/bin/xc", "xc in PATH", "gg-toolchains/gg-test.sh"]
        {
            assert!(missing.contains(part), "{part}: {missing}");
        }
        program(&bin.join("xc"));
        assert_eq!(find(None), Ok(Found { program: bin.join("xc"), by_path: true }));
        program(&own.join("gg-test/bin/xc"));
        assert_eq!(find(None), Ok(Found { program: own.join("gg-test/bin/xc"), by_path: false }));
        let error = find(Some(&named)).expect_err("named, and not there").to_string();
        assert!(error.contains("TCAB_GG_X=") && error.contains("no program is there"), "{error}");
        program(&named);
        assert_eq!(find(Some(&named)), Ok(Found { program: named.clone(), by_path: false }));
    }
}
