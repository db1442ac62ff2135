//! Code modules: each is built once, by the read that binds it, under the key that a program reaches it by. A program's
//! preparation names the builds and compiles the reply alone; a build that is not there any more, or is of another source,
//! is made again before it.
//!
//! Builds are content-keyed and go through the store of objects, so that another worker or another run fetches what one has
//! made. The compile of a program never does: what it costs is what is measured.

use super::seam::PrepareContext;
use super::{Band, Prepare, PrepareError, Prepared};
use gg_common::action::ActionRecord;
use gg_common::content::{ContentKey, KeyBuilder};
use gg_common::objects::{ObjectError, Objects};
use gg_source::exports::Export;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A code module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// What a program reaches it by.
    pub key: String,
    /// Its source.
    pub source: String,
}

/// An arm whose modules are built.
pub trait BuildModules {
    /// Builds a module in `folder`, its own in the band of loaded modules; gives the files that it made there, by name.
    fn build(
        &self,
        context: &mut PrepareContext<'_>,
        module: &Module,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, PrepareError>;
}

/// The output of a build that holds its exports.
const EXPORTS: &str = "exports.json";
/// The largest file of a build, in bytes: it is kept for as long as its store is.
const FILE_BYTES: u64 = 16 << 20;

/// Prepares a program with these modules in scope. A module that its compiler refuses now was accepted when it was read: the
/// failure is ours, and names it.
pub fn program(
    prepare: &dyn Prepare,
    context: &mut PrepareContext<'_>,
    source: &str,
    modules: &[Module],
) -> Result<Prepared, PrepareError> {
    if prepare.builds_modules().is_some() {
        let mut was_built = false;
        for module in modules {
            if !context.workspace()?.holds_build(&module.key, &module.source) {
                self::module(prepare, context, module).map_err(|error| rebuild(error, &module.key))?;
                was_built = true;
            }
        }
        if was_built {
            // Whether a module was built now or before, the program finds the same.
            context.clear_work()?;
        }
    }
    prepare.program(context, source, modules)
}

fn rebuild(error: PrepareError, key: &str) -> PrepareError {
    match error {
        PrepareError::Rejected { text, .. } | PrepareError::Lowering { binding: None, text } => {
            PrepareError::Lowering { binding: Some(key.to_owned()), text }
        }
        error => error,
    }
}

/// Prepares a module at the read that binds it, and gives what it offers.
pub fn module(
    prepare: &dyn Prepare,
    context: &mut PrepareContext<'_>,
    module: &Module,
) -> Result<Vec<Export>, PrepareError> {
    let input = input(context, module);
    if let Some(exports) = fetch(prepare, context, module, &input) {
        return Ok(exports);
    }
    let began = Instant::now();
    let mut files = BTreeMap::new();
    if let Some(builder) = prepare.builds_modules() {
        let folder = context.open_module(&module.key)?;
        let made = builder.build(context, module, &folder)?;
        for name in &made {
            let bytes = context.workspace()?.read(&folder.join(name), FILE_BYTES);
            match bytes {
                Ok(Some(bytes)) => files.insert(name.display().to_string(), bytes),
                Ok(None) => return Err(unkept(format!("{} was not made", name.display()))),
                Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                    let text = format!(
                        "error: what the module is compiled to has more than the {FILE_BYTES} bytes that are taken (bound moduleBuildBytes): keep less data in it\n"
                    );
                    return Err(PrepareError::Rejected { band: Band::Unsupported, text });
                }
                Err(error) => return Err(unkept(format!("{} cannot be read: {error}", name.display()))),
            };
        }
        context.workspace()?.record_build(&module.key, &module.source, made);
    }
    let exports = prepare.exports(context, module)?;
    // What its reader did not come to an end with here, it may elsewhere: that is not kept for others.
    if let Some(objects) = context.ground.objects.filter(|_| !context.is_undocumented) {
        files.insert(EXPORTS.to_owned(), serde_json::to_vec(&exports).unwrap_or_default());
        if let Err(error) = keep(objects, input, files, began.elapsed()) {
            tracing::warn!(%error, key = module.key, "a module's build could not be stored; others build it again");
        }
    }
    Ok(exports)
}

fn unkept(reason: String) -> PrepareError {
    PrepareError::Lowering { binding: None, text: format!("the module's build is not whole: {reason}") }
}

/// Everything that could change a build: its source, its key, and what the arm has on disk (SDK, libraries, the compiler's
/// own version, what it is told).
fn input(context: &PrepareContext<'_>, module: &Module) -> ContentKey {
    let artifacts = context.ground.artifacts;
    let mut key = KeyBuilder::new("module")
        .part("format", &gg_common::FORMAT_VERSION.to_le_bytes())
        .part("arm", artifacts.arm().id().as_bytes());
    for (name, digest) in artifacts.files() {
        key = key.part(name, digest.as_bytes());
    }
    key.part("key", module.key.as_bytes()).part("source", module.source.as_bytes()).finish()
}

fn keep(
    objects: &Objects,
    input: ContentKey,
    files: BTreeMap<String, Vec<u8>>,
    cost: Duration,
) -> Result<(), ObjectError> {
    let mut outputs = BTreeMap::new();
    for (name, bytes) in files {
        outputs.insert(name, objects.put_blocking(bytes)?);
    }
    let cost_ms = u64::try_from(cost.as_millis()).unwrap_or(u64::MAX);
    objects.record_action_blocking(&ActionRecord { version: gg_common::FORMAT_VERSION, input, outputs, cost_ms })
}

/// A build that was made before, put in its place; none where there is none, or not all of it.
fn fetch(
    prepare: &dyn Prepare,
    context: &mut PrepareContext<'_>,
    module: &Module,
    input: &ContentKey,
) -> Option<Vec<Export>> {
    let objects = context.ground.objects?;
    match try_fetch(prepare, context, module, objects, input) {
        Ok(exports) => exports,
        Err(error) => {
            tracing::warn!(error, key = module.key, "a module's build could not be fetched; it is built");
            None
        }
    }
}

fn try_fetch(
    prepare: &dyn Prepare,
    context: &mut PrepareContext<'_>,
    module: &Module,
    objects: &Objects,
    input: &ContentKey,
) -> Result<Option<Vec<Export>>, String> {
    let told = |error: ObjectError| error.to_string();
    let Some(record) = objects.find_action_blocking(input).map_err(told)? else { return Ok(None) };
    let mut exports = None;
    let mut files = Vec::new();
    for (name, key) in &record.outputs {
        let bytes = objects.get_blocking(key).map_err(told)?;
        if name == EXPORTS {
            exports = Some(serde_json::from_slice(&bytes).map_err(|error| format!("{EXPORTS}: {error}"))?);
        } else {
            files.push((PathBuf::from(name), bytes));
        }
    }
    let exports = exports.ok_or_else(|| format!("{EXPORTS} is not among its outputs"))?;
    if prepare.builds_modules().is_some() {
        let folder = context.open_module(&module.key).map_err(|error| error.to_string())?;
        let workspace = context.workspace().map_err(|error| error.to_string())?;
        for (name, bytes) in &files {
            workspace.place(&folder, name, bytes).map_err(|error| format!("{}: {error}", name.display()))?;
        }
        let names = files.into_iter().map(|(name, _)| name).collect();
        workspace.record_fetch(&module.key, &module.source, names);
        context.charge_fetch(Duration::from_millis(record.cost_ms));
    }
    Ok(Some(exports))
}
