//! A list that only grows, as it travels: whole pages are objects, and what is not yet a page travels itself. So its size
//! in a job is bounded however long it becomes, and an entry is stored once.

use crate::content::ContentKey;
use crate::objects::{ObjectError, Objects};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Entries of a page.
pub const PAGE_ENTRIES: usize = 64;

/// A page that cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The store failed.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The bytes do not read.
    #[error("the page {key} of an agent's index does not read: {source}; it was written by another version")]
    Unreadable {
        /// The object.
        key: ContentKey,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
}

/// A list that only grows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, bound(deserialize = "T: Deserialize<'de>"))]
pub struct Paged<T> {
    /// Objects of 64 entries each, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pages: Vec<ContentKey>,
    /// The entries after those of the pages; never empty where there are pages.
    recent: Vec<T>,
    /// Pages that were filled and are not stored yet.
    #[serde(skip)]
    unsaved: Vec<Vec<u8>>,
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Paged { pages: Vec::new(), recent: Vec::new(), unsaved: Vec::new() }
    }
}

impl<T> Paged<T> {
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.pages.len() * PAGE_ENTRIES + self.recent.len()
    }

    /// The newest entry.
    pub fn last(&self) -> Option<&T> {
        self.recent.last()
    }

    /// The entries after those of the pages.
    pub fn recent(&self) -> &[T] {
        &self.recent
    }

    /// Pages that were filled since this was last asked.
    pub fn take_unsaved(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.unsaved)
    }
}

impl<T: Serialize> Paged<T> {
    /// Adds an entry.
    pub fn push(&mut self, entry: T) {
        if self.recent.len() == PAGE_ENTRIES {
            // Serializing plain structs cannot fail.
            let page = serde_json::to_vec(&self.recent).unwrap_or_default();
            self.pages.push(ContentKey::of(&page));
            self.unsaved.push(page);
            self.recent.clear();
        }
        self.recent.push(entry);
    }
}

impl<T: DeserializeOwned + Clone> Paged<T> {
    /// All entries, oldest first. For a thread outside the async runtime.
    pub fn all_blocking(&self, objects: &Objects) -> Result<Vec<T>, PageError> {
        let mut all = Vec::with_capacity(self.len());
        for key in &self.pages {
            let page = objects.get_blocking(key)?;
            let entries: Vec<T> =
                serde_json::from_slice(&page).map_err(|source| PageError::Unreadable { key: *key, source })?;
            all.extend(entries);
        }
        all.extend_from_slice(&self.recent);
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Durability;

    #[test]
    fn a_long_list_travels_as_pages_and_comes_back_whole() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let mut list = Paged::default();
        for number in 0..200u32 {
            list.push(number);
            assert_eq!(list.last(), Some(&number));
            for page in list.take_unsaved() {
                objects.put_blocking(page).expect("put");
            }
        }
        assert_eq!((list.len(), list.pages.len()), (200, 3));
        let json = serde_json::to_string(&list).expect("json");
        assert!(json.len() < 400, "{json}");
        let back: Paged<u32> = serde_json::from_str(&json).expect("reads back");
        assert_eq!(back.all_blocking(&objects).expect("pages"), (0..200).collect::<Vec<_>>());
        assert!(Paged::<u32>::default().all_blocking(&objects).expect("none").is_empty());
    }

    #[test]
    fn a_page_that_is_missing_or_does_not_read_is_told() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let mut list = Paged::default();
        (0..65u32).for_each(|number| list.push(number));
        assert!(matches!(list.all_blocking(&objects), Err(PageError::Object(_))));
        let key = objects.put_blocking(&b"no list"[..]).expect("put");
        list.pages = vec![key];
        let error = list.all_blocking(&objects).expect_err("no list").to_string();
        assert!(error.contains(&key.to_string()) && error.contains("another version"), "{error}");
    }
}
