//! What a run's log refers to in the store of objects.

use gg_common::content::ContentKey;
use gg_common::event::{Event, EventBody};
use gg_common::job::{Body, Effect};
use serde_json::Value;
use std::collections::BTreeSet;

/// What a run refers to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct References {
    /// Texts: replies, logs, views.
    pub bodies: BTreeSet<ContentKey>,
    /// Trees, by their roots.
    pub trees: BTreeSet<ContentKey>,
}

impl References {
    /// What these events refer to.
    pub fn of(events: &[Event]) -> References {
        let mut references = References::default();
        for event in events {
            match &event.event {
                EventBody::RunStarted { tree, check, .. } => {
                    references.trees.extend(tree);
                    references.trees.extend(check.as_ref().map(|check| check.files));
                }
                EventBody::CodeExecution { tree, effects, .. } => {
                    references.trees.extend(tree);
                    references.bodies.extend(effects.iter().flat_map(kept_by));
                }
                // A program that may be asked for again is kept as an object too.
                EventBody::Reply { text: Body::Inline(text), .. } => {
                    references.bodies.insert(ContentKey::of(text.as_bytes()));
                }
                EventBody::Reply { .. }
                | EventBody::TurnStarted { .. }
                | EventBody::RunResumed { .. }
                | EventBody::Checked { .. }
                | EventBody::RunEnded { .. } => {}
            }
            // Wherever a body stands: its form is unlike that of any text, so no program can feign one.
            references.bodies_in(&serde_json::to_value(event).unwrap_or_default());
        }
        references
    }

    /// Everything in these events that could be a key: what is kept because of it is kept without need at worst.
    pub fn mentions(events: &[Event]) -> BTreeSet<ContentKey> {
        let mut found = BTreeSet::new();
        for event in events {
            keys_in(&serde_json::to_value(event).unwrap_or_default(), &mut found);
        }
        found
    }

    fn bodies_in(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(Ok(Body::Object { key, .. })) =
                    fields.contains_key("object").then(|| serde_json::from_value::<Body>(value.clone()))
                {
                    self.bodies.insert(key);
                }
                fields.values().for_each(|value| self.bodies_in(value));
            }
            Value::Array(values) => values.iter().for_each(|value| self.bodies_in(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The objects that an effect keeps by their keys alone.
fn kept_by(effect: &Effect) -> Vec<ContentKey> {
    match effect {
        Effect::MemoryWritten { memory } => {
            [Some(memory.body), memory.code, memory.on_use].into_iter().flatten().collect()
        }
        Effect::ModuleLoaded { module } => vec![module.source, module.exports],
        _ => Vec::new(),
    }
}

fn keys_in(value: &Value, found: &mut BTreeSet<ContentKey>) {
    match value {
        Value::String(text) => found.extend(text.parse::<ContentKey>().ok()),
        Value::Object(fields) => fields.values().for_each(|value| keys_in(value, found)),
        Value::Array(values) => values.iter().for_each(|value| keys_in(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::event::Usage;
    use gg_common::job::RunId;
    use gg_common::reply::FinishReason;
    use gg_common::state::{LoadedModule, Memory, ModuleOf};

    #[test]
    fn what_memories_and_modules_keep_is_referred_to() {
        let key = |name: &str| ContentKey::of(name.as_bytes());
        let memory = Memory {
            name: "m".into(),
            description: "d".into(),
            chars: 1,
            body: key("body"),
            on_use: Some(key("script")),
            code: Some(key("code")),
        };
        let of = ModuleOf::Memory { name: "m".into() };
        let module = LoadedModule { key: "m".into(), of, source: key("code"), exports: key("exports") };
        let effects = [Effect::MemoryWritten { memory }, Effect::ModuleLoaded { module }];
        let found: BTreeSet<_> = effects.iter().flat_map(kept_by).collect();
        assert_eq!(found, ["body", "script", "code", "exports"].map(key).into());
    }

    #[test]
    fn bodies_and_trees_are_found_and_a_text_that_looks_like_a_key_is_none() {
        let (long, feigned) = (ContentKey::of(b"long"), ContentKey::of(b"feigned"));
        let reply = |text| Event {
            version: gg_common::FORMAT_VERSION,
            run: RunId("r".into()),
            seq: 0,
            at_ms: 0,
            event: EventBody::Reply {
                turn: 1,
                text,
                finish_reason: FinishReason::Stop,
                usage: Usage::default(),
                call: None,
                window_tokens: 0,
                elapsed_ms: 0,
            },
        };
        let text = format!(r#"{{"object":{{"key":"{feigned}","bytes":3}}}}"#);
        let events = [reply(Body::Object { key: long, bytes: 4 }), reply(Body::Inline(text.clone()))];
        let found = References::of(&events);
        assert_eq!(found.bodies, BTreeSet::from([long, ContentKey::of(text.as_bytes())]));
        assert_eq!(found.trees, BTreeSet::new());
        assert_eq!(References::mentions(&events), BTreeSet::from([long]));
        let mention = [reply(Body::Inline(feigned.to_string()))];
        assert_eq!(References::mentions(&mention), BTreeSet::from([feigned]), "kept without need, if need be");
    }
}
