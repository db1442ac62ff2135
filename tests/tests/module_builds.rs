//! The gates over builds of code modules: every registered arm, and preparations that are broken on purpose.

use gg_common::arm::Arm;
use gg_tests::module_builds::{Fault, count, rebuild_band};
use gg_tests::modules::refused_module;
use gg_tests::subject::{Agent, Registered, Subject};
use gg_worker::language::seam::PrepareContext;
use gg_worker::language::{Band, Module, PrepareError, Prepared, language};

#[test]
fn no_program_has_a_module_built_again() {
    for arm in Arm::ALL {
        let compiles = language(arm).checker().is_some();
        assert_eq!(count(arm, &Registered::new(arm), compiles), [], "{arm}");
    }
}

#[test]
fn a_module_that_cannot_be_built_again_is_ours_in_every_arm_that_builds_any() {
    for arm in Arm::ALL {
        let subject = Registered::new(arm);
        let builds = subject.prepare.builds_modules().is_some();
        assert_eq!(builds, refused_module(arm).is_some(), "{arm}: an arm that builds modules has one that it refuses");
        if let Some(refused) = refused_module(arm) {
            assert_eq!(rebuild_band(arm, &subject, refused), Ok(()), "{arm}");
        }
    }
}

#[test]
fn what_a_compiler_says_of_a_module_that_it_refuses_again_is_bounded_and_counted() {
    let refused: String = (0..12).map(|n| format!("pub fn f{n}() -> u32 {{\n    \"{n}\"\n}}\n")).collect();
    let scope = [Module { key: "word_tools".to_owned(), source: refused }];
    let (subject, mut agent) = (Registered::new(Arm::Rust), Agent::new(Arm::Rust));
    let prepared = agent.prepare(&subject, |context| subject.program(context, "fn main() {}\n", &scope));
    let Err(PrepareError::Lowering { binding: Some(_), text }) = prepared else { panic!("{prepared:?}") };
    assert_eq!(text.matches("error[E0308]").count(), 8, "{text}");
    assert!(text.ends_with("(4 more diagnostics not shown)"), "{text}");
}

/// A preparation that copies modules into the band, unless something is wrong with it.
struct Copying(Option<Wrong>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// Each program builds its modules again.
    Rebuilds,
    /// Each program writes a module's file again, and records nothing.
    Rewrites,
    /// Each program leaves something of its own in the band.
    Adds,
    /// A read leaves nothing.
    Abandons,
    /// A module that is refused beside a program is the model's.
    BlamesTheModel,
}

fn io<T>(result: std::io::Result<T>) -> Result<T, PrepareError> {
    result.map_err(|error| PrepareError::Lowering { binding: None, text: error.to_string() })
}

fn build(context: &mut PrepareContext<'_>, module: &Module) -> Result<(), PrepareError> {
    let folder = context.open_module(&module.key)?;
    io(std::fs::write(folder.join("built"), &module.source))?;
    context.workspace()?.record_build(&module.key, &module.source, vec!["built".into()]);
    Ok(())
}

impl Subject for Copying {
    fn module(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<(), PrepareError> {
        if self.0 == Some(Wrong::Abandons) { Ok(()) } else { build(context, module) }
    }

    fn program(
        &self,
        context: &mut PrepareContext<'_>,
        source: &str,
        modules: &[Module],
    ) -> Result<Prepared, PrepareError> {
        for module in modules {
            let folder = context.workspace()?.module(&module.key);
            if module.source.contains("refuse me") {
                let text = "error: refused".to_owned();
                return Err(match self.0 {
                    Some(Wrong::BlamesTheModel) => PrepareError::Rejected { band: Band::Compile, text },
                    _ => PrepareError::Lowering { binding: Some(module.key.clone()), text },
                });
            }
            match self.0 {
                Some(Wrong::Rebuilds) => build(context, module)?,
                Some(Wrong::Rewrites) => io(std::fs::write(folder.join("built"), format!("{} ", module.source)))?,
                Some(Wrong::Adds) => io(std::fs::write(folder.join("more"), source))?,
                _ => {}
            }
        }
        Ok(Prepared::Component(source.as_bytes().to_vec()))
    }
}

#[test]
fn the_counting_gate_catches_each_broken_preparation() {
    let found = |wrong| count(Arm::Python, &Copying(wrong), true);
    assert_eq!(found(None), []);
    let rebuilt = found(Some(Wrong::Rebuilds));
    assert!(rebuilt.contains(&Fault::Rebuilt { before: 2, after: 8 }), "{rebuilt:?}");
    assert!(found(Some(Wrong::Rewrites)).contains(&Fault::Touched("built".into())));
    assert!(found(Some(Wrong::Adds)).contains(&Fault::Touched("more".into())));
    assert_eq!(found(Some(Wrong::Abandons)), [Fault::NoWork]);
}

#[test]
fn the_rebuild_gate_catches_what_blames_the_model() {
    let band = |wrong| rebuild_band(Arm::Python, &Copying(wrong), "refuse me");
    assert_eq!(band(None), Ok(()));
    assert!(band(Some(Wrong::BlamesTheModel)).expect_err("caught").contains("against the model"));
    assert!(rebuild_band(Arm::Python, &Copying(None), "fine").expect_err("caught").contains("it prepared"));
}
