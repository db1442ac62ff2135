//! A profile alone: a file of its own, or that of a run file.

use super::PlanError;
use gg_common::ceilings::Ceilings;
use gg_common::config::{self, Problem, StandIn};
use gg_common::profile::Profile;
use serde::Deserialize;
use std::path::Path;

/// What a run file says of an agent; the rest is left to who runs it.
#[derive(Debug, Deserialize)]
struct OfRunFile {
    profile: Profile,
    #[serde(default)]
    ceilings: Ceilings,
}

/// Reads a profile, and the ceilings where the file is a run file; otherwise everything that is wrong.
pub fn read_profile(path: &Path) -> Result<(Profile, Ceilings), PlanError> {
    let fail = |problems| PlanError { file: Some(path.to_owned()), problems };
    let text = std::fs::read_to_string(path)
        .map_err(|error| fail(vec![Problem { line: None, message: format!("the profile cannot be read: {error}") }]))?;
    let is_run_file = config::line_of(&text, &["profile"]).is_some();
    let (profile, ceilings, mut problems) = if is_run_file {
        let reading = config::read_all::<OfRunFile>(&text, &[StandIn { field: "profile.arm", toml: "'python'" }]);
        match reading.value {
            Some(file) => (file.profile, file.ceilings, reading.problems),
            None => return Err(fail(reading.problems)),
        }
    } else {
        let reading = config::read_all::<Profile>(&text, &[StandIn { field: "arm", toml: "'python'" }]);
        match reading.value {
            Some(profile) => (profile, Ceilings::default(), reading.problems),
            None => return Err(fail(reading.problems)),
        }
    };
    problems.extend(profile.problems().iter().map(|problem| Problem { line: None, message: problem.to_string() }));
    problems.extend(ceilings.problems().iter().map(|problem| Problem { line: None, message: problem.to_string() }));
    if problems.is_empty() { Ok((profile, ceilings)) } else { Err(fail(problems)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::arm::Arm;

    fn read(text: &str) -> Result<(Profile, Ceilings), PlanError> {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = folder.path().join("profile.toml");
        std::fs::write(&path, text).expect("write");
        read_profile(&path)
    }

    #[test]
    fn a_profile_is_read_from_its_own_file_and_from_a_run_file() {
        let (profile, _) = read("arm = \"javascript\"\ncapabilities = [\"read-file\"]\n").expect("a profile");
        assert_eq!((profile.arm, profile.capabilities.len()), (Arm::Javascript, 1));
        let text = "task = \"x\"\nreplies = \"r\"\n[profile]\narm = \"python\"\n[ceilings]\nturns = 3\n";
        let (profile, ceilings) = read(text).expect("a run file");
        assert_eq!((profile.arm, ceilings.turns), (Arm::Python, 3));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = read("arm = \"python\"\ncapabilites = []\n").expect_err("misspelt").to_string();
        assert!(error.contains("profile.toml:2:") && error.contains("capabilities"), "{error}");
    }
}
