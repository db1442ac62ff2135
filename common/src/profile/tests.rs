use super::*;

fn python(capabilities: &[Capability]) -> Profile {
    Profile { capabilities: capabilities.iter().copied().collect(), ..Profile::with_everything(Arm::Python) }
}

#[test]
fn a_capability_that_nothing_serves_is_refused_with_a_sentence() {
    let problems = python(&[Capability::Tasks, Capability::Fork, Capability::Compaction]).problems();
    let not_served = [Capability::Compaction, Capability::Fork].map(ProfileError::NotServed);
    assert_eq!(problems, not_served);
    assert!(problems[1].to_string().contains("`fork` is not served in this version"));
    assert_eq!(Profile::with_everything(Arm::Python).problems(), []);
}

#[test]
fn a_call_is_granted_by_its_binding_alone() {
    let mut profile = python(&[Capability::ReadFile, Capability::ProgramLibrary]);
    assert!(profile.grants_call(Operation::FilesReadFile));
    assert!(profile.grants_call(Operation::ViewsOpenFile));
    assert!(profile.grants_call(Operation::ViewsOpenText));
    assert!(profile.grants_call(Operation::SessionFinish));
    assert!(!profile.grants_call(Operation::FilesWriteFile), "its capability is off");
    assert!(!profile.grants_call(Operation::SessionApprove), "another role's");
    assert!(!profile.grants_call(Operation::DelegationTransitionState), "no machine");
    assert!(!profile.grants_call(Operation::ContextCompact), "not served in this version");
    profile.grants.insert(Capability::ReadFile, BTreeSet::from(["files.read_text_file".to_owned()]));
    assert!(profile.grants_call(Operation::FilesReadTextFile));
    assert!(!profile.grants_call(Operation::FilesReadFile), "the grant lists others");
    assert_eq!(profile.problems(), []);
}

#[test]
fn the_calls_of_memories_follow_their_strategy() {
    let mut profile = python(&[Capability::Memories]);
    let mut granted = |strategy| {
        profile.memories.strategy = strategy;
        let calls = Capability::Memories.operations().filter(|operation| profile.grants_call(*operation));
        calls.map(|operation| operation.row().key.trim_end_matches("_memory")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(granted(MemoryStrategy::Scratchpad), "write update delete");
    assert_eq!(granted(MemoryStrategy::Markdown), "create read edit delete");
    assert_eq!(granted(MemoryStrategy::KeywordSearch), "create read edit search_memories delete");
}

#[test]
fn settings_out_of_range_a_stores_odd_name_and_a_skills_empty_code_are_refused() {
    let mut profile = python(&[Capability::Memories, Capability::Tasks]);
    profile.tasks.max = 0;
    profile.memories.max_chars = u64::MAX;
    profile.memories.store = Some("../up".into());
    profile.skills = vec![Skill {
        name: "s".into(),
        description: "d".into(),
        body: "b".into(),
        on_use: Some("1".into()),
        code: Some(" \n".into()),
    }];
    for name in ["", "a\nb", &"x".repeat(101)] {
        profile.skills.push(Skill { name: name.into(), code: None, ..profile.skills[0].clone() });
    }
    profile.skills.push(Skill { name: "long".into(), code: Some("x".repeat(2 << 20)), ..profile.skills[0].clone() });
    let problems: Vec<String> = profile.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 8, "{problems:#?}");
    assert!(problems[4..7].iter().all(|problem| problem.contains("a name is a line")), "{problems:#?}");
    assert!(problems[7].contains("`code` of the skill `long`") && problems[7].contains("limits.replyBytes"));
    assert_eq!(problems[0], "`tasks.max` is 0: it must be between 1 and 1000");
    assert!(problems[1].starts_with("`memories.maxChars` is"));
    assert!(
        problems[2].contains("`../up`") && problems[3].contains("`code` of the skill `s` is empty"),
        "{problems:#?}"
    );
}

#[test]
fn a_grant_must_name_an_enabled_capability_and_one_of_its_calls() {
    let mut profile = python(&[Capability::ReadFile]);
    profile.grants.insert(Capability::ReadFile, BTreeSet::from(["files.write_file".to_owned()]));
    profile.grants.insert(Capability::Shell, BTreeSet::new());
    let problems = profile.problems();
    assert!(matches!(&problems[0], ProfileError::UnknownCall { call, .. } if call == "files.write_file"));
    assert_eq!(problems[1], ProfileError::GrantWithoutCapability(Capability::Shell));
}

#[test]
fn the_tree_follows_reading_and_writing_unless_set_apart() {
    assert_eq!(python(&[]).tree_access(), TreeAccess::None);
    assert_eq!(python(&[Capability::ReadFile]).tree_access(), TreeAccess::ReadOnly);
    let mut profile = python(&[Capability::WriteFile]);
    assert_eq!(profile.tree_access(), TreeAccess::ReadWrite);
    profile.tree = Some(TreeAccess::None);
    assert_eq!(profile.tree_access(), TreeAccess::None);
}

#[test]
fn unknown_fields_and_a_networked_shell_are_refused() {
    let error = serde_json::from_str::<Profile>(r#"{"arm":"python","capabilites":[]}"#).expect_err("misspelt");
    assert!(error.to_string().contains("capabilites"));
    let mut profile = python(&[Capability::Shell]);
    profile.shell = ShellSettings { read_only_paths: vec!["opt".into()], network: true };
    assert_eq!(profile.problems(), [ProfileError::ShellNetwork, ProfileError::RelativePath("opt".into())]);
}
