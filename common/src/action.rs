//! Action records: which outputs an input gave. Not every build is reproducible, so the input's key maps to the digests
//! of what it gave the first time.

use crate::content::ContentKey;
use crate::objects::{ObjectError, Objects};
use futures::StreamExt;
use object_store::path::Path as StorePath;
use object_store::{ObjectStoreExt, PutPayload};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What an action gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionRecord {
    /// [`crate::FORMAT_VERSION`] of this form.
    pub version: u32,
    /// A digest of everything that could change the outputs.
    pub input: ContentKey,
    /// Output names and the digests of their bytes.
    pub outputs: BTreeMap<String, ContentKey>,
    /// What the action cost when it ran, in milliseconds.
    pub cost_ms: u64,
}

fn record_path(input: &ContentKey) -> StorePath {
    let hex = input.to_string();
    StorePath::from(format!("actions/{}/{}.json", &hex[..2], &hex[2..]))
}

impl Objects {
    /// Records what an action gave. A later record of the same input replaces it.
    pub async fn record_action(&self, record: &ActionRecord) -> Result<(), ObjectError> {
        let json = serde_json::to_vec_pretty(record).unwrap_or_default();
        self.store()
            .put(&record_path(&record.input), PutPayload::from(json))
            .await
            .map_err(|e| self.store_error("storing the action record", record.input, e))?;
        Ok(())
    }

    /// [`Objects::record_action`] for a thread outside the async runtime.
    pub fn record_action_blocking(&self, record: &ActionRecord) -> Result<(), ObjectError> {
        futures::executor::block_on(self.record_action(record))
    }

    /// [`Objects::find_action`] for a thread outside the async runtime.
    pub fn find_action_blocking(&self, input: &ContentKey) -> Result<Option<ActionRecord>, ObjectError> {
        futures::executor::block_on(self.find_action(input))
    }

    /// Every output that an action record names.
    pub async fn action_outputs(&self) -> Result<BTreeSet<ContentKey>, ObjectError> {
        let failed = |e| self.store_error("listing", "the action records", e);
        let mut outputs = BTreeSet::new();
        let mut found = self.store().list(Some(&StorePath::from("actions")));
        while let Some(meta) = found.next().await {
            let path = meta.map_err(failed)?.location;
            let bytes = async { self.store().get(&path).await?.bytes().await }.await.map_err(failed)?;
            // One that does not read is passed over by who looks for it too.
            if let Ok(record) = serde_json::from_slice::<ActionRecord>(&bytes) {
                outputs.extend(record.outputs.into_values());
            }
        }
        Ok(outputs)
    }

    /// What an action gave, if it ever ran. A record that does not read, or reads another version, counts as none.
    pub async fn find_action(&self, input: &ContentKey) -> Result<Option<ActionRecord>, ObjectError> {
        let path = record_path(input);
        let got = async { self.store().get(&path).await?.bytes().await };
        match got.await {
            Ok(bytes) => match serde_json::from_slice::<ActionRecord>(&bytes) {
                Ok(record) if record.version == crate::FORMAT_VERSION && record.input == *input => Ok(Some(record)),
                _ => {
                    tracing::warn!(%input, "an action record does not read and is passed over");
                    Ok(None)
                }
            },
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(e) => Err(self.store_error("reading the action record", input, e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Durability;

    #[tokio::test]
    async fn a_record_reads_back_and_a_broken_one_counts_as_none() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let input = ContentKey::of(b"input");
        assert_eq!(objects.find_action(&input).await.expect("find"), None);
        let record = ActionRecord {
            version: crate::FORMAT_VERSION,
            input,
            outputs: BTreeMap::from([("guest.wasm".to_owned(), ContentKey::of(b"output"))]),
            cost_ms: 7,
        };
        objects.record_action(&record).await.expect("record");
        assert_eq!(objects.find_action(&input).await.expect("find"), Some(record));
        assert_eq!(objects.action_outputs().await.expect("list"), BTreeSet::from([ContentKey::of(b"output")]));
        let hex = input.to_string();
        let file = folder.path().join("actions").join(&hex[..2]).join(format!("{}.json", &hex[2..]));
        std::fs::write(file, b"{").expect("break it");
        assert_eq!(objects.find_action(&input).await.expect("find"), None);
    }
}
