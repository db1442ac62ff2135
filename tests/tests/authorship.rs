//! The authorship gate over every registered arm, and over preparations that are broken on purpose.

use gg_common::arm::Arm;
use gg_tests::authorship::{
    DEPARTURES, MARKER, PLAIN, Relation, Sample, Step, recorded, relation, relation_of, samples,
};
use gg_tests::subject::{Registered, Subject};
use gg_worker::language::seam::PrepareContext;
use gg_worker::language::{Module, PrepareError, Prepared};

#[test]
fn every_arm_keeps_the_bytes_that_it_is_handed_but_for_what_the_table_records() {
    for arm in Arm::ALL {
        let subject = Registered::new(arm);
        for sample in samples(arm) {
            let found = relation(arm, &subject, &sample).unwrap_or_else(|error| panic!("{arm}: {sample:?}: {error}"));
            assert_eq!(
                found,
                recorded(arm, &sample),
                "{arm}, {:?} with {}: the left is what it does, the right what DEPARTURES records",
                sample.step,
                sample.construct
            );
        }
    }
}

#[test]
fn each_row_of_the_table_is_of_a_sample() {
    for (arm, step, construct, relation) in DEPARTURES {
        assert_ne!(*relation, Relation::Kept, "keeping is no departure");
        let is_shown = samples(*arm).iter().any(|sample| sample.step == *step && sample.construct == *construct);
        assert!(is_shown, "{arm}: no sample has {construct}");
    }
}

/// A preparation that hands its guest something else than it was given.
struct Unfaithful(fn(&str) -> String);

impl Subject for Unfaithful {
    fn module(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<(), PrepareError> {
        let written = (self.0)(&module.source);
        context.workspace()?.write("module.py", written.as_bytes()).expect("written");
        Ok(())
    }

    fn program(&self, _: &mut PrepareContext<'_>, source: &str, _: &[Module]) -> Result<Prepared, PrepareError> {
        Ok(Prepared::Source { program: (self.0)(source).into_bytes(), places: Vec::new(), modules: Vec::new() })
    }
}

#[test]
fn the_gate_catches_what_wraps_rewrites_blanks_and_hides() {
    type Change = fn(&str) -> String;
    let broken: [(Change, Relation); 5] = [
        (str::to_owned, Relation::Kept),
        (|source| format!("import gg\n{source}"), Relation::Wrapped),
        (|source| source.replace('(', " ("), Relation::Rewritten),
        (|source| source.replacen("print", "     ", 1).replacen("def", "   ", 1), Relation::Blanked),
        (|_| "pass\n".to_owned(), Relation::Unseen),
    ];
    for (unfaithful, expected) in broken {
        for sample in samples(Arm::Python) {
            let found = relation(Arm::Python, &Unfaithful(unfaithful), &sample).expect("it prepares");
            assert_eq!(found, expected, "{:?}", sample.step);
        }
    }
}

#[test]
fn the_least_faithful_form_counts() {
    let given = format!("let a: number = \"{MARKER}\";");
    assert_eq!(relation_of(&given.replace(": number", "        "), &given), Relation::Blanked);
    assert_eq!(relation_of(&given.replace(": number", ""), &given), Relation::Rewritten);
    assert!(Relation::Kept < Relation::Blanked && Relation::Wrapped < Relation::Rewritten);
    let sample = Sample { step: Step::Program, construct: PLAIN, source: given };
    assert_eq!(recorded(Arm::Python, &sample), Relation::Kept);
}
