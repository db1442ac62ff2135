//! Content keys: the blake3 digest of everything that could change the bytes.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A blake3 digest, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentKey([u8; 32]);

impl ContentKey {
    /// The key of these bytes.
    pub fn of(bytes: &[u8]) -> ContentKey {
        ContentKey(*blake3::hash(bytes).as_bytes())
    }

    /// The digest itself.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key of this digest.
    pub fn from_bytes(digest: [u8; 32]) -> ContentKey {
        ContentKey(digest)
    }
}

impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is no content key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no content key: write 64 hexadecimal digits")]
pub struct NotAContentKey(String);

impl FromStr for ContentKey {
    type Err = NotAContentKey;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        blake3::Hash::from_hex(s).map(|hash| ContentKey(*hash.as_bytes())).map_err(|_| NotAContentKey(s.to_owned()))
    }
}

impl Serialize for ContentKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for ContentKey {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContentKey".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A blake3 digest in hexadecimal.",
            "pattern": "^[0-9a-f]{64}$"
        })
    }
}

/// Folds named parts into one key. Each part is length-prefixed, so that no two different lists give the same bytes.
#[derive(Debug, Default)]
pub struct KeyBuilder {
    hasher: blake3::Hasher,
}

impl KeyBuilder {
    /// A builder for keys of this kind; two kinds never share a key.
    pub fn new(kind: &str) -> KeyBuilder {
        KeyBuilder::default().part("kind", kind.as_bytes())
    }

    /// Adds one part under its name.
    #[must_use]
    pub fn part(mut self, name: &str, value: &[u8]) -> KeyBuilder {
        for bytes in [name.as_bytes(), value] {
            self.hasher.update(&(bytes.len() as u64).to_le_bytes());
            self.hasher.update(bytes);
        }
        self
    }

    /// The key of all parts, in their order.
    pub fn finish(self) -> ContentKey {
        ContentKey(*self.hasher.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_a_wrong_one_is_refused() {
        let key = ContentKey::of(b"abc");
        assert_eq!(key.to_string().parse::<ContentKey>(), Ok(key));
        assert_eq!(serde_json::from_str::<ContentKey>(&serde_json::to_string(&key).expect("json")).expect("key"), key);
        assert!("xyz".parse::<ContentKey>().is_err());
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let one = KeyBuilder::new("t").part("a", b"bc").part("d", b"").finish();
        let two = KeyBuilder::new("t").part("a", b"b").part("cd", b"").finish();
        let other = KeyBuilder::new("u").part("a", b"bc").part("d", b"").finish();
        assert_ne!(one, two);
        assert_ne!(one, other);
    }
}
