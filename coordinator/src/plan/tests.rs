use super::*;
use gg_common::arm::Arm;
use gg_common::profile::Capability;
use tempfile::TempDir;

const GOOD: &str = "\
task = 'Count.'
files = 'files'
replies = 'replies'
[profile]
arm = 'python'
capabilities = ['read-file']
[ceilings]
turns = 7
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("tempdir");
    std::fs::create_dir(folder.path().join("files")).expect("files");
    std::fs::create_dir(folder.path().join("replies")).expect("replies");
    std::fs::write(folder.path().join("replies/1.py"), "x").expect("reply");
    std::fs::write(folder.path().join("task.md"), "Count the words.\n").expect("task");
    folder
}

fn told(errors: Vec<PlanError>) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn reading(folder: &TempDir, text: &str) -> Result<(RunPlan, Binding), String> {
    let path = folder.path().join("run.toml");
    std::fs::write(&path, text).expect("write");
    read(&path, Who::IsSaidHere).map(|(plan, model)| (plan, model.expect("said here"))).map_err(told)
}

/// The problems, without the folder that they are in.
fn wrong(folder: &TempDir, text: &str) -> Vec<String> {
    let prefix = format!("{}/", folder.path().display());
    let error = reading(folder, text).expect_err("wrong");
    error.lines().map(|line| line.replace(&prefix, "")).collect()
}

#[test]
fn a_run_file_is_read_relative_to_its_own_folder() {
    let folder = folder();
    let (plan, model) = reading(&folder, GOOD).expect("good");
    let Binding::Scripted(replies) = model else { panic!("{model:?}") };
    assert_eq!((plan.task.as_str(), replies.len()), ("Count.", 1));
    assert_eq!(plan.files.as_deref(), Some(&*folder.path().join("files")));
    assert_eq!(plan.profile.arm, Arm::Python);
    assert_eq!(plan.profile.capabilities.into_iter().collect::<Vec<_>>(), [Capability::ReadFile]);
    assert_eq!(plan.ceilings, Ceilings { turns: 7, ..Ceilings::default() });
    let (plan, _) = reading(&folder, &GOOD.replace("task = 'Count.'", "taskFile = 'task.md'")).expect("good");
    assert_eq!(plan.task, "Count the words.\n");
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_line_and_what_would_be_right() {
    let folder = folder();
    let text = "\
task = 'Count.'
taskFile = 'task.md'
file = 'files'
files = 'fils'
replies = 'reply'
[profile]
arm = 'python'
capabilities = ['read-fil', 'fork']
[profile.limits]
memoryBytes = 1
[ceilings]
turns = 0
turn = 3
";
    let lines = wrong(&folder, text);
    let parts = [
        ("run.toml:2: ", "keep one"),
        ("run.toml:3: ", "no field `file`"),
        ("run.toml:4: ", "fils cannot be read"),
        ("run.toml:5: ", "reply cannot be read"),
        ("run.toml:8: ", "did you mean `read-file`?"),
        ("run.toml:8: ", "`fork` is not served"),
        ("run.toml:10: ", "`limits.memoryBytes` is 1"),
        ("run.toml:12: ", "`ceilings.turns` is 0"),
        ("run.toml:13: ", "did you mean `turns`?"),
    ];
    assert_eq!(lines.len(), parts.len(), "{lines:#?}");
    for (line, (start, part)) in lines.iter().zip(parts) {
        assert!(line.starts_with(start) && line.contains(part), "{start}{part}: {lines:#?}");
    }
}

#[test]
fn an_unknown_arm_names_the_arms_and_a_missing_part_is_named() {
    let folder = folder();
    let lines = wrong(&folder, &GOOD.replace("'python'", "'cobol'"));
    assert!(lines[0].starts_with("run.toml:5: ") && lines[0].contains("cobol") && lines[0].contains("javascript"));
    let lines = wrong(&folder, &GOOD.replace("'python'", "'cobol'").replace("'files'", "'fils'"));
    assert_eq!(lines.len(), 2, "a wrong arm hides nothing else: {lines:#?}");
    let lines = wrong(&folder, &GOOD.replace("replies = 'replies'\n", ""));
    assert_eq!(
        lines,
        ["run.toml: neither `[model]` nor `replies` says who answers: add one, or name it with --model or --replies"]
    );
    let lines = wrong(&folder, &GOOD.replace("task = 'Count.'\n", ""));
    assert!(lines[0].contains("neither `task`, `taskFile` nor `taskFolder`"), "{lines:?}");
    let lines = wrong(&folder, &GOOD.replace("'Count.'", "' '"));
    assert!(lines[0].starts_with("run.toml:1: ") && lines[0].contains("empty"), "{lines:?}");
    let lines = wrong(&folder, &GOOD.replace("task = 'Count.'", "taskFile = 'nowhere.md'"));
    assert!(lines[0].starts_with("run.toml:1: ") && lines[0].contains("nowhere.md"), "{lines:?}");
    let lines = wrong(&folder, "task = ");
    assert!(lines[0].starts_with("run.toml:1: ") && lines[0].contains("TOML"), "{lines:?}");
}

#[test]
fn a_bad_line_of_the_replies_is_named_with_its_file() {
    let folder = folder();
    std::fs::write(folder.path().join("r.jsonl"), "{\"text\": \"a\"}\nnonsense\n").expect("write");
    let lines = wrong(&folder, &GOOD.replace("'replies'", "'r.jsonl'"));
    assert!(lines[0].starts_with("run.toml:3: line 2 of r.jsonl is no reply"), "{lines:?}");
}

#[test]
fn a_missing_run_file_is_named() {
    let error = told(read(Path::new("/nowhere/run.toml"), Who::IsSaidHere).expect_err("missing"));
    assert!(error.starts_with("/nowhere/run.toml: the run file cannot be read"), "{error}");
}

const MODEL: &str = "\
[model]
kind = 'openai'
baseUrl = 'http://127.0.0.1:1/v1'
model = 'm'
apiKeyFile = 'key'
temperature = 0
seed = 3
[model.extra]
top_k = 5
stop = ['a']
[model.extra.chat_template_kwargs]
enable_thinking = false
";

#[test]
fn a_run_file_says_who_answers_in_a_table_of_its_own() {
    let folder = folder();
    std::fs::write(folder.path().join("key"), "the-key\n").expect("key");
    let text = GOOD.replace("replies = 'replies'\n", "") + MODEL;
    let (_, model) = reading(&folder, &text).expect("good");
    let table = crate::model::Model::binding(&model).expect("a table");
    assert_eq!(table.api_key_file.as_deref(), Some(&*folder.path().join("key")), "relative to the file's folder");
    assert_eq!((table.temperature, table.seed), (Some(0.0), Some(3)));
    let extra = serde_json::json!({ "top_k": 5, "stop": ["a"], "chat_template_kwargs": { "enable_thinking": false } });
    assert_eq!(serde_json::to_value(&table.extra).expect("json"), extra);

    let lines = wrong(&folder, &(GOOD.to_owned() + MODEL));
    assert!(lines[0].starts_with("run.toml:3: ") && lines[0].contains("keep one"), "{lines:?}");
    let scripted = GOOD.replace("replies = 'replies'\n", "") + "[model]\nkind = 'scripted'\nreplies = 'replies'\n";
    assert!(matches!(reading(&folder, &scripted), Ok((_, Binding::Scripted(_)))));
}

#[test]
fn everything_that_is_wrong_with_a_table_is_told_at_once_and_no_key_is_repeated() {
    let folder = folder();
    let text = GOOD.replace("replies = 'replies'\n", "").replace("'files'", "'fils'")
        + "[model]\nkind = 'openai'\nbaseUrl = 'h'\napiKey = 'sk-live-1'\napiKeyFile = 'sk-live-2'\ntopP = 2\nretries = 'x'\nextra = { stream = true }\n";
    let lines = wrong(&folder, &text);
    let parts = [
        ("run.toml:2: ", "fils cannot be read"),
        ("run.toml:8: ", "`model` is missing"),
        ("run.toml:10: ", "`baseUrl` is no address"),
        ("run.toml:11: ", "no field `model.apiKey`"),
        ("run.toml:12: ", "cannot be read"),
        ("run.toml:13: ", "`topP` is 2"),
        ("run.toml:14: ", "`model.retries`"),
        ("run.toml:15: ", "`extra` may not set `stream`"),
    ];
    assert_eq!(lines.len(), parts.len(), "{lines:#?}");
    for (line, (start, part)) in lines.iter().zip(parts) {
        assert!(line.starts_with(start) && line.contains(part), "{start}{part}: {lines:#?}");
        assert!(!line.contains("live"), "{line}");
    }
    let lines = wrong(&folder, &(GOOD.replace("replies = 'replies'\n", "") + "[model]\nkind = 'opnai'\n"));
    assert!(lines.len() == 1 && lines[0].contains("did you mean `openai`?"), "{lines:?}");
}

#[test]
fn a_run_file_is_not_asked_who_answers_where_that_is_said_elsewhere() {
    let folder = folder();
    let run = folder.path().join("run.toml");
    for text in [GOOD.to_owned(), GOOD.replace("'replies'", "'nowhere'"), GOOD.replace("replies = 'replies'\n", "")] {
        std::fs::write(&run, text).expect("write");
        assert!(matches!(read(&run, Who::IsSaidElsewhere), Ok((_, None))));
    }
}

#[test]
fn everything_that_is_wrong_with_a_model_file_is_told() {
    let folder = folder();
    let model = folder.path().join("model.toml");
    std::fs::write(folder.path().join("key"), "the-key").expect("key");
    std::fs::write(&model, MODEL).expect("write");
    assert!(matches!(read_model(&model), Ok(Binding::Remote(_))));
    std::fs::write(&model, MODEL.replace("seed", "sed").replace("'m'", "''")).expect("write");
    let told = read_model(&model).expect_err("wrong").to_string();
    assert!(told.contains("model.toml:4: ") && told.contains("model.toml:7: "), "{told}");
    assert!(told.contains("did you mean `seed`?"), "{told}");
    std::fs::write(&model, "").expect("write");
    assert!(read_model(&model).expect_err("empty").to_string().contains("`model` is missing"));
}

#[test]
fn the_documented_example_is_read_and_states_the_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/model/run.toml");
    let (_, model) = read(&path, Who::IsSaidHere).expect("the example");
    let Some(Binding::Remote(remote)) = model else { panic!("{model:?}") };
    let table = crate::model::Model::binding(&*remote).expect("a table");
    let times = (table.connect_timeout_secs, table.first_byte_timeout_secs, table.total_timeout_secs);
    assert_eq!(times, (Some(10), Some(300), Some(600)));
    assert_eq!((table.retries, table.max_retry_wait_secs), (Some(5), Some(120)));
}
