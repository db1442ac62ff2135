//! On-use scripts in their prepared form: each is prepared once an agent, by its first use.

use crate::language::{Prepared, ProgramLanguage};
use gg_common::content::ContentKey;
use std::collections::HashMap;

/// How many are kept: a memory may be rewritten for ever, and its script with it.
const MOST_KEPT: usize = 64;

/// Prepared scripts, by the digest of their source.
#[derive(Debug, Default)]
pub struct Scripts(HashMap<ContentKey, Prepared>);

impl Scripts {
    /// The prepared form of a script.
    pub fn prepare(&mut self, language: &dyn ProgramLanguage, source: &str) -> Prepared {
        let key = ContentKey::of(source.as_bytes());
        if let Some(prepared) = self.0.get(&key) {
            return prepared.clone();
        }
        let prepared = language.prepare_program(source);
        if self.0.len() >= MOST_KEPT {
            self.0.clear();
        }
        self.0.insert(key, prepared.clone());
        prepared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::arm::Arm;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl ProgramLanguage for Counting {
        fn arm(&self) -> Arm {
            Arm::Python
        }

        fn checker(&self) -> Option<&'static str> {
            None
        }

        fn prepare_program(&self, source: &str) -> Prepared {
            self.0.fetch_add(1, Ordering::Relaxed);
            Prepared::Source(source.as_bytes().to_vec())
        }

        fn selfcheck_program(&self) -> &'static str {
            ""
        }

        fn hello_program(&self) -> &'static str {
            ""
        }
    }

    #[test]
    fn a_script_is_prepared_once_and_another_is_another() {
        let (mut scripts, language) = (Scripts::default(), Counting::default());
        for source in ["a", "a", "b", "a"] {
            assert_eq!(scripts.prepare(&language, source), Prepared::Source(source.as_bytes().to_vec()));
        }
        assert_eq!(language.0.load(Ordering::Relaxed), 2);
        (0..200).for_each(|number| drop(scripts.prepare(&language, &number.to_string())));
        assert!(scripts.0.len() <= MOST_KEPT);
    }
}
