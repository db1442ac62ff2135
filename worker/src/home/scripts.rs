//! On-use scripts in their prepared form: each is prepared once an agent, by its first use.

use crate::language::Prepared;
use gg_common::content::ContentKey;
use std::collections::HashMap;

/// How many are kept: a memory may be rewritten for ever, and its script with it.
const MOST_KEPT: usize = 64;

/// Prepared scripts, by the digest of their source.
#[derive(Debug, Default)]
pub struct Scripts(HashMap<ContentKey, Prepared>);

impl Scripts {
    /// The prepared form of a script, which is prepared if it was not before. One that cannot be is tried again at its next
    /// use.
    pub fn prepare<E>(
        &mut self,
        source: &str,
        prepare: impl FnOnce(&str) -> Result<Prepared, E>,
    ) -> Result<Prepared, E> {
        let key = ContentKey::of(source.as_bytes());
        if let Some(prepared) = self.0.get(&key) {
            return Ok(prepared.clone());
        }
        let prepared = prepare(source)?;
        if self.0.len() >= MOST_KEPT {
            self.0.clear();
        }
        self.0.insert(key, prepared.clone());
        Ok(prepared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_prepared_once_and_another_is_another() {
        let (mut scripts, mut prepared) = (Scripts::default(), 0);
        let mut prepare = |scripts: &mut Scripts, source: &str| {
            let once = |source: &str| {
                prepared += 1;
                Ok::<_, String>(Prepared::Source(source.as_bytes().to_vec()))
            };
            scripts.prepare(source, once)
        };
        for source in ["a", "a", "b", "a"] {
            assert_eq!(prepare(&mut scripts, source), Ok(Prepared::Source(source.as_bytes().to_vec())));
        }
        assert_eq!(prepared, 2);
        let refuse = |_: &str| Err("refused");
        assert_eq!(scripts.prepare("c", refuse), Err("refused"));
        assert_eq!(scripts.prepare("c", refuse), Err("refused"), "it was not kept");
        let keep = |source: &str| Ok::<_, String>(Prepared::Source(source.as_bytes().to_vec()));
        (0..200).for_each(|number| drop(scripts.prepare(&number.to_string(), keep)));
        assert!(scripts.0.len() <= MOST_KEPT);
    }
}
