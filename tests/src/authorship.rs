//! The authorship gate: the bytes that a language compiles are the bytes that it was handed. It drives an arm's program step
//! and module step with whole sources of that language's own, reads what the preparation wrote into the compile workspace
//! and what it handed the guest, and takes the least faithful relation that any of it has to what was given.
//!
//! What a preparation does other than keep its bytes stands in [`DEPARTURES`], which the gate holds it to both ways.

use crate::modules::{caller, key, module};
use crate::subject::{Agent, Subject};
use gg_common::arm::Arm;
use gg_worker::language::{Module, Prepared};

/// What a preparation did to the bytes, the most faithful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// They are as they were.
    Kept,
    /// Some are blank now, and all others stand where they stood.
    Blanked,
    /// They stand in something larger.
    Wrapped,
    /// They were written anew.
    Rewritten,
    /// Nothing of them was seen: the gate cannot tell.
    Unseen,
}

/// Which step of a preparation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A reply's program.
    Program,
    /// A code module.
    Module,
}

/// A source that the gate hands to a step, by what is peculiar to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Which step it is for.
    pub step: Step,
    /// What it has in it.
    pub construct: &'static str,
    /// The source; [`MARKER`] stands in a text of it.
    pub source: String,
}

/// What is searched for: it stands in a text of every sample, so that no form of the source is without it.
pub const MARKER: &str = "gg-authorship-kittiwake";

/// What no arm's sources have in particular.
pub const PLAIN: &str = "nothing in particular";

/// Types, which stand for nothing when the program runs.
pub const TYPES: &str = "types";

/// A construct of a typed language that is more than its types.
pub const MORE_THAN_TYPES: &str = "an enum";

/// The samples of an arm.
pub fn samples(arm: Arm) -> Vec<Sample> {
    let of = |step, construct, source| Sample { step, construct, source };
    let mut samples = vec![of(Step::Program, PLAIN, caller(arm, MARKER)), of(Step::Module, PLAIN, module(arm, MARKER))];
    // What an arm treats apart, it is shown apart.
    match arm {
        Arm::Javascript | Arm::Python | Arm::Rust => {}
        Arm::Typescript => {
            let (types, rewritten) = ("const word: string = `", "enum Kind { One }\nconst word = `");
            for (construct, before) in [(TYPES, types), (MORE_THAN_TYPES, rewritten)] {
                samples.push(of(Step::Program, construct, format!("{before}{MARKER}`;\nconsole.log(word);\n")));
                let module = module(arm, "hello");
                samples.push(of(Step::Module, construct, format!("{before}{MARKER}`;\nvoid word;\n{module}")));
            }
        }
    }
    samples.sort_by_key(|sample| sample.step);
    samples
}

/// What a preparation is known to do to the bytes, and may.
pub const DEPARTURES: &[(Arm, Step, &str, Relation)] = &[
    // The engine reads no types: they are blanked, and nothing else moves. (The plain module has some.)
    (Arm::Typescript, Step::Module, PLAIN, Relation::Blanked),
    (Arm::Typescript, Step::Program, TYPES, Relation::Blanked),
    (Arm::Typescript, Step::Module, TYPES, Relation::Blanked),
    // What such a construct means is written out, and errors are put back to where it stood.
    (Arm::Typescript, Step::Program, MORE_THAN_TYPES, Relation::Rewritten),
    (Arm::Typescript, Step::Module, MORE_THAN_TYPES, Relation::Rewritten),
];

/// What the table says of a sample.
pub fn recorded(arm: Arm, sample: &Sample) -> Relation {
    DEPARTURES
        .iter()
        .find(|(of, step, construct, _)| (*of, *step, *construct) == (arm, sample.step, sample.construct))
        .map_or(Relation::Kept, |(.., relation)| *relation)
}

/// What a subject does to a sample; an error where it does not prepare.
pub fn relation(arm: Arm, subject: &dyn Subject, sample: &Sample) -> Result<Relation, String> {
    let mut agent = Agent::new(arm);
    let mut handed = Vec::new();
    match sample.step {
        Step::Program => {
            // What the program calls has no marker.
            let scope = [Module { key: key(arm).to_owned(), source: module(arm, "hello") }];
            let prepared = agent.prepare(subject, |context| {
                subject.module(context, &scope[0])?;
                Ok(())
            });
            prepared.map_err(|error| error.to_string())?;
            let prepared = agent.prepare(subject, |context| subject.program(context, &sample.source, &scope));
            if let Prepared::Source { program, .. } = prepared.map_err(|error| error.to_string())? {
                handed.push(program);
            }
        }
        Step::Module => {
            let scope = [Module { key: key(arm).to_owned(), source: sample.source.clone() }];
            let prepared = agent.prepare(subject, |context| subject.module(context, &scope[0]));
            prepared.map_err(|error| error.to_string())?;
            handed.extend(agent.files().iter().filter_map(|file| std::fs::read(file).ok()));
            let prepared = agent.prepare(subject, |context| subject.program(context, &caller(arm, "Ada"), &scope));
            if let Prepared::Source { modules, .. } = prepared.map_err(|error| error.to_string())? {
                handed.extend(modules.into_iter().map(|(_, source)| source));
            }
        }
    }
    handed.extend(agent.files().iter().filter_map(|file| std::fs::read(file).ok()));
    let texts = handed.iter().filter_map(|bytes| std::str::from_utf8(bytes).ok());
    let relations = texts.filter(|text| text.contains(MARKER)).map(|text| relation_of(text, &sample.source));
    Ok(relations.max().unwrap_or(Relation::Unseen))
}

/// The relation of a text to what was given.
pub fn relation_of(text: &str, given: &str) -> Relation {
    if text == given {
        return Relation::Kept;
    }
    let is_blanked = text.len() == given.len()
        && text.bytes().zip(given.bytes()).all(|(now, before)| now == before || matches!(now, b' ' | b';'));
    if is_blanked {
        Relation::Blanked
    } else if text.contains(given) {
        Relation::Wrapped
    } else {
        Relation::Rewritten
    }
}
