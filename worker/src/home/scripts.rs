//! On-use scripts in their prepared form: each is prepared once an agent, by its first use.

use crate::language::Prepared;
use gg_common::content::ContentKey;
use gg_common::state::Modules;
use std::collections::HashMap;

/// How many are kept: a memory may be rewritten for ever, and its script with it.
const MOST_KEPT: usize = 64;

/// A script in its prepared form, and the modules that it may have been linked with.
#[derive(Debug)]
struct Kept {
    prepared: Prepared,
    /// Key and source of each.
    scope: Vec<(String, ContentKey)>,
}

/// Prepared scripts, by the digest of their source.
#[derive(Debug, Default)]
pub struct Scripts(HashMap<ContentKey, Kept>);

impl Scripts {
    /// The prepared form of a script, which is prepared if it was not before, or if a module that was in scope then is
    /// another now: what a script is linked with is never a version that was replaced. One that cannot be prepared is tried
    /// again at its next use.
    pub fn prepare<E>(
        &mut self,
        source: &str,
        scope: &Modules,
        prepare: impl FnOnce(&str) -> Result<Prepared, E>,
    ) -> Result<Prepared, E> {
        let key = ContentKey::of(source.as_bytes());
        let stands =
            |(key, source): &(String, ContentKey)| scope.get(key).is_some_and(|module| module.source == *source);
        if let Some(kept) = self.0.get(&key).filter(|kept| kept.scope.iter().all(stands)) {
            return Ok(kept.prepared.clone());
        }
        let prepared = prepare(source)?;
        if self.0.len() >= MOST_KEPT {
            self.0.clear();
        }
        let scope = scope.iter().map(|module| (module.key.clone(), module.source)).collect();
        self.0.insert(key, Kept { prepared: prepared.clone(), scope });
        Ok(prepared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::state::{LoadedModule, ModuleOf};

    fn program(source: &str) -> Prepared {
        Prepared::Source { program: source.as_bytes().to_vec(), places: Vec::new(), modules: Vec::new() }
    }

    fn scope(modules: &[(&str, &str)]) -> Modules {
        let mut scope = Modules::default();
        for (key, source) in modules {
            scope.put(LoadedModule {
                key: (*key).to_owned(),
                of: ModuleOf::Skill { name: (*key).to_owned() },
                source: ContentKey::of(source.as_bytes()),
                exports: ContentKey::of(b"[]"),
            });
        }
        scope
    }

    #[test]
    fn a_script_is_prepared_once_and_another_is_another() {
        let (mut scripts, mut prepared) = (Scripts::default(), 0);
        let none = Modules::default();
        let mut prepare = |scripts: &mut Scripts, source: &str| {
            let once = |source: &str| {
                prepared += 1;
                Ok::<_, String>(program(source))
            };
            scripts.prepare(source, &none, once)
        };
        for source in ["a", "a", "b", "a"] {
            assert_eq!(prepare(&mut scripts, source), Ok(program(source)));
        }
        assert_eq!(prepared, 2);
        let refuse = |_: &str| Err("refused");
        assert_eq!(scripts.prepare("c", &none, refuse), Err("refused"));
        assert_eq!(scripts.prepare("c", &none, refuse), Err("refused"), "it was not kept");
        let keep = |source: &str| Ok::<_, String>(program(source));
        (0..200).for_each(|number| drop(scripts.prepare(&number.to_string(), &none, keep)));
        assert!(scripts.0.len() <= MOST_KEPT);
    }

    #[test]
    fn a_script_is_prepared_again_where_a_module_was_replaced_and_not_where_one_came() {
        let mut scripts = Scripts::default();
        let mut times = 0;
        for (modules, expected) in [
            (&[("a", "1")][..], 1),
            (&[("a", "1"), ("b", "1")], 1),
            (&[("a", "2"), ("b", "1")], 2),
            (&[("a", "2"), ("b", "2")], 3),
            (&[("a", "2"), ("b", "2")], 3),
        ] {
            let once = |source: &str| {
                times += 1;
                Ok::<_, String>(program(source))
            };
            scripts.prepare("script", &scope(modules), once).expect("prepared");
            assert_eq!(times, expected, "{modules:?}");
        }
    }
}
