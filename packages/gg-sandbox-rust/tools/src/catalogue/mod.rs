//! The SDK's surface as the catalogue has it (its shape: `common/src/catalogue.rs`), from what rustdoc says of the SDK.
//!
//! Nothing is written a second time: a module is one whose documentation has the alias `ggmodule:NAME`, a call is bound
//! to its operation by `ggop:module.key`, and a second name of a call by `ggalias:module.key`.

mod documentation;
mod reflect;
mod render;

use serde::Serialize;

pub use reflect::reflect;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    version: u32,
    arm: &'static str,
    member_separator: &'static str,
    modules: Vec<Module>,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
pub struct Module {
    name: String,
    import: String,
    summary: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Operation,
    Type,
    Alias,
}

#[derive(Serialize)]
pub struct Member {
    name: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    type_: Option<String>,
    optional: bool,
    documentation: String,
}

#[derive(Serialize)]
pub struct Entry {
    key: String,
    operation: Option<String>,
    kind: Kind,
    module: String,
    name: String,
    signature: String,
    summary: String,
    documentation: String,
    parameters: Vec<Member>,
    returns: Option<String>,
    types: Vec<String>,
    fields: Vec<Member>,
    variants: Vec<Member>,
}

impl Catalogue {
    /// What it holds, in a line.
    pub fn contents(&self) -> String {
        let count = |kind| self.entries.iter().filter(|entry| entry.kind == kind).count();
        format!(
            "{} modules, {} operations, {} types, {} aliases",
            self.modules.len(),
            count(Kind::Operation),
            count(Kind::Type),
            count(Kind::Alias)
        )
    }
}
