//! The views that stand in an agent's window.

use super::TurnRanges;
use crate::job::ViewKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a view replaces its predecessor by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewKey {
    /// What it shows.
    pub kind: ViewKind,
    /// A path, a label or a name.
    pub selector: String,
    /// Which part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
}

/// A view that stands in the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenView {
    /// What it is.
    pub key: ViewKey,
    /// Its tokens, by the shared estimator.
    pub tokens: u32,
    /// The turn that it stands in.
    pub turn: u32,
}

/// The open views, in the order in which the model reads them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Views(Vec<OpenView>);

impl Views {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All, in the order in which the model reads them.
    pub fn iter(&self) -> impl Iterator<Item = &OpenView> {
        self.0.iter()
    }

    /// Opens a view in the place of one of its key.
    pub(super) fn open(&mut self, view: OpenView) {
        self.close(&view.key);
        self.0.push(view);
    }

    /// Closes a view.
    pub(super) fn close(&mut self, key: &ViewKey) {
        self.0.retain(|view| view.key != *key);
    }

    /// Moves what stands in these turns to the end of another.
    pub(super) fn move_to(&mut self, turn: u32, from: &TurnRanges) {
        let (mut moved, stay): (Vec<OpenView>, Vec<OpenView>) =
            std::mem::take(&mut self.0).into_iter().partition(|view| from.contains(view.turn));
        moved.iter_mut().for_each(|view| view.turn = turn);
        self.0 = stay;
        self.0.append(&mut moved);
    }
}
