use super::*;
use crate::testing::catalogue;
use gg_common::catalogue::Catalogue;
use gg_common::ceilings::Ceilings;
use gg_common::operation::{Role, TABLE};
use gg_common::profile::{Capability, Profile, Skill};
use std::collections::{BTreeMap, BTreeSet};

fn agent(profile: &Profile) -> Agent {
    Agent::new(profile, &Ceilings::default(), &catalogue(profile.arm))
}

fn only(arm: Arm, capabilities: &[Capability]) -> Profile {
    Profile { capabilities: capabilities.iter().copied().collect(), ..Profile::with_everything(arm) }
}

fn skilled(arm: Arm) -> Profile {
    let skill = |name: &str, description: &str| Skill {
        name: name.to_owned(),
        description: description.to_owned(),
        body: "…".to_owned(),
        on_use: None,
        code: (name == "tables").then(|| "pass".to_owned()),
    };
    Profile {
        skills: vec![skill("tables", "How to read tables."), skill("dates", "What a date can be.")],
        ..Profile::with_everything(arm)
    }
}

/// Profiles that differ in what they grant.
fn profiles() -> Vec<Profile> {
    let mut profiles = Vec::new();
    for arm in Arm::ALL {
        profiles.push(Profile::with_everything(arm));
        profiles.push(skilled(arm));
        profiles.push(only(arm, &[]));
        profiles.push(only(arm, &[Capability::ReadFile]));
        profiles.push(only(arm, &[Capability::WriteFile, Capability::ProgramLibrary]));
        profiles.push(Profile { skills: skilled(arm).skills, ..only(arm, &[Capability::Shell]) });
        profiles.push(Profile { role: Role::Review, ..Profile::with_everything(arm) });
        let read_only = BTreeSet::from(["files.read_file".to_owned()]);
        profiles.push(Profile {
            grants: BTreeMap::from([(Capability::ReadFile, read_only)]),
            ..only(arm, &[Capability::ReadFile])
        });
    }
    profiles
}

/// Whether `text` names `name`, and not only a longer name that holds it.
fn names(text: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
    text.match_indices(name).any(|(at, _)| {
        !part(text[..at].chars().next_back())
            && !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(feature = "embedded")]
#[test]
fn the_checker_that_a_prompt_names_is_the_arms_own() {
    let root = gg_common::folders::CacheRoot::from_environment().expect("a data folder");
    for state in crate::embedded::arms(&root) {
        assert_eq!(checker(state.arm), state.checker, "{}", state.arm);
    }
}

#[test]
fn a_prompt_names_no_call_that_the_profile_does_not_grant() {
    let prompts = Prompts::new().expect("prompts");
    for profile in profiles() {
        let (agent, catalogue) = (agent(&profile), catalogue(profile.arm));
        let text = [
            prompts.system(&agent).expect("system"),
            prompts.task(&agent, "Do it.", true).expect("task"),
            prompts.nothing_shown(&agent).expect("nothing shown"),
            prompts.kept(&agent, &Kept { archived: "1-2".to_owned(), ..Kept::default() }).expect("kept"),
        ]
        .join("\n");
        for row in TABLE.iter().filter(|row| !profile.grants_call(row.operation)) {
            for name in [row.operation.id(), catalogue.spelling(row.operation)] {
                assert!(!names(&text, name), "{name} is named to {:?}:\n{text}", profile.capabilities);
            }
        }
    }
}

#[test]
fn the_check_of_names_catches_one_that_is_not_granted() {
    assert!(names("call `files.search` now", "files.search"));
    assert!(!names("call `files.search_all` or `myfiles.search`", "files.search"));
    let agent = agent(&only(Arm::Python, &[]));
    let mut prompts = Prompts::new().expect("prompts");
    prompts.registry.register_template_string(NOTHING_SHOWN, "{{call.files_read_file}}").expect("template");
    let error = prompts.nothing_shown(&agent).expect_err("not granted").to_string();
    assert!(error.contains("code-nothing-shown.hbs"), "{error}");
}

#[test]
fn no_template_writes_a_calls_name_itself() {
    let segments = Arm::ALL.map(|arm| segment(arm).1);
    let shared = [
        include_str!("system-code.hbs"),
        include_str!("task.hbs"),
        include_str!("code-nothing-shown.hbs"),
        include_str!("turn.hbs"),
        include_str!("kept.hbs"),
    ];
    let catalogues: Vec<Catalogue> = Arm::ALL.into_iter().map(catalogue).collect();
    for text in shared.into_iter().chain(segments) {
        for catalogue in &catalogues {
            for entry in &catalogue.entries {
                assert!(!text.contains(&entry.key), "{} stands in a template:\n{text}", entry.key);
            }
        }
    }
}

#[test]
fn a_variable_that_a_context_lacks_fails() {
    let mut prompts = Prompts::new().expect("prompts");
    for text in ["{{colour}}", "{{#if colour}}x{{/if}}", "{{#each views}}{{colour}}{{/each}}"] {
        prompts.registry.register_template_string(TURN, text).expect("template");
        let view = OpenView { kind: "text", selector: "a".to_owned(), region: None, body: "b".to_owned() };
        let context = TurnContext { views: vec![view], ..TurnContext::default() };
        assert!(matches!(prompts.turn(&context), Err(PromptError::Render { name: TURN, .. })), "{text}");
    }
}

#[test]
fn what_the_agents_read_first() {
    let prompts = Prompts::new().expect("prompts");
    for arm in Arm::ALL {
        let agent = agent(&skilled(arm));
        insta::assert_snapshot!(format!("system_{arm}"), prompts.system(&agent).expect("system"));
    }
    let nothing = agent(&only(Arm::Python, &[]));
    insta::assert_snapshot!("system_python_without_capabilities", prompts.system(&nothing).expect("system"));
    let review = agent(&Profile { role: Role::Review, ..only(Arm::Javascript, &[Capability::ReadFile]) });
    insta::assert_snapshot!("system_javascript_review", prompts.system(&review).expect("system"));
}

#[test]
fn tasks_and_the_notice_of_nothing_shown() {
    let prompts = Prompts::new().expect("prompts");
    let all = agent(&Profile::with_everything(Arm::Javascript));
    let none = agent(&only(Arm::Python, &[]));
    assert_eq!(
        prompts.task(&all, "Count <words> & \"more\".\n", true).expect("task"),
        "# Task\n\nCount <words> & \"more\".\n\nThe files of the task are in `/work`."
    );
    assert_eq!(prompts.task(&all, "Go.", false).expect("task"), "# Task\n\nGo.\n\n`/work` is empty.");
    assert_eq!(prompts.task(&none, "Go.", false).expect("task"), "# Task\n\nGo.");
    let rust = prompts.nothing_shown(&agent(&Profile::with_everything(Arm::Rust))).expect("notice");
    assert!(rust.contains("What `println!` writes goes to the log"), "{rust}");
    insta::assert_snapshot!("nothing_shown_javascript", prompts.nothing_shown(&all).expect("notice"));
    insta::assert_snapshot!("nothing_shown_python_without_files", prompts.nothing_shown(&none).expect("notice"));
}
