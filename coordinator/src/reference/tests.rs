use super::markdown::{anchor, grouped, size};
use super::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn committed() -> BTreeSet<String> {
    let entries = std::fs::read_dir(docs().join("reference")).into_iter().flatten();
    entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn the_committed_reference_is_current() {
    let folder = docs().join("reference");
    let pages = pages();
    let made: BTreeSet<String> = pages.iter().map(|page| page.file.clone()).collect();
    if std::env::var_os("GG_UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(&folder).expect("docs/reference");
        for page in &pages {
            std::fs::write(folder.join(&page.file), &page.text).expect("write");
        }
        for old in committed().difference(&made) {
            std::fs::remove_file(folder.join(old)).expect("remove");
        }
    }
    assert_eq!(committed(), made, "docs/reference holds other pages than are made: run {COMMAND}");
    for page in pages {
        let text = std::fs::read_to_string(folder.join(&page.file)).unwrap_or_default();
        assert!(text == page.text, "docs/reference/{} is not what the code says: run {COMMAND}", page.file);
    }
}

/// The links of a Markdown text that lead to files here: the file, and the heading where one is named.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let ours = targets.filter(|target| !target.contains("://"));
    ours.map(|target| match target.split_once('#') {
        Some((file, heading)) => (file.to_owned(), Some(heading.to_owned())),
        None => (target.to_owned(), None),
    })
    .collect()
}

/// The text of a document, by its place. The pages of the reference are those that are made: another test may be writing
/// them down.
fn document(place: &Path) -> Option<String> {
    let of_reference = place.parent().and_then(Path::file_name).is_some_and(|folder| folder == "reference");
    let name = place.file_name()?.to_string_lossy();
    let made = pages().into_iter().find(|page| of_reference && page.file == name);
    made.map(|page| page.text).or_else(|| std::fs::read_to_string(place).ok())
}

fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for heading in text.lines().filter(|line| line.starts_with('#')) {
        anchors.push(anchor(heading.trim_start_matches('#').trim_start()));
    }
    anchors
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let root = docs().join("..");
    let mut documents: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/README.md"]
        .iter()
        .map(|name| root.join(name))
        .collect();
    documents.extend(pages().iter().map(|page| docs().join("reference").join(&page.file)));
    for place in documents {
        let text = document(&place).expect("a document");
        for (file, heading) in links(&text) {
            let target = if file.is_empty() { place.clone() } else { place.parent().expect("parent").join(&file) };
            let text = document(&target);
            assert!(text.is_some() || target.exists(), "{}: {file} is not there", place.display());
            if let Some(heading) = heading {
                let anchors = anchors(&text.unwrap_or_default());
                assert!(anchors.contains(&heading), "{}: {file}#{heading}", place.display());
            }
        }
    }
}

#[test]
fn no_two_headings_of_a_page_share_a_link() {
    for page in pages() {
        let all = anchors(&page.text);
        let different: BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{}: {all:#?}", page.file);
    }
}

#[test]
fn the_index_leads_to_every_page_and_schema() {
    let index = std::fs::read_to_string(docs().join("README.md")).expect("docs/README.md");
    let linked: BTreeSet<String> = links(&index).into_iter().map(|(file, _)| file).collect();
    let schemas = gg_common::schema::schemas().into_iter().map(|(name, _)| format!("schema/{name}.json"));
    for name in pages().into_iter().map(|page| format!("reference/{}", page.file)).chain(schemas) {
        assert!(linked.contains(&name), "docs/README.md does not lead to {name}");
    }
}

/// Whether what a comment states as the default is what the type has.
fn agrees(words: &str, default: &Value) -> bool {
    match default {
        Value::Number(number) => {
            let number = number.as_u64().expect("a whole number");
            words == grouped(number) || Some(words) == size(number).as_deref()
        }
        Value::String(text) => words == format!("`{text}`"),
        Value::Bool(yes) => words == yes.to_string(),
        // A table's or a list's is told in words.
        _ => true,
    }
}

#[test]
fn every_field_states_its_meaning_and_a_default_that_is_the_types_own() {
    let reference = reference();
    for (place, field) in reference.written_fields() {
        assert!(!field.meaning.is_empty(), "{place} has no meaning");
        if let (Some(words), Some(default)) = (&field.default_words, &field.default) {
            assert!(agrees(words, default), "{place}: the comment states `{words}`, the type has {default}");
        }
        let stated = field.default_words.is_some() || field.default.as_ref().is_some_and(|d| d.is_object());
        assert!(field.needed || stated || field.default.is_none(), "{place} states no default");
    }
    assert!(agrees("30,000", &30_000.into()) && agrees("256 MiB", &(256u64 << 20).into()));
    assert!(!agrees("30,001", &30_000.into()) && !agrees("`markdown`", &"scratchpad".into()));
}

#[test]
fn every_range_is_of_a_field_that_is_there() {
    let reference = reference();
    let fields: BTreeSet<String> = reference.written_fields().into_iter().map(|(place, _)| place).collect();
    for place in allowed().keys() {
        assert!(fields.contains(place), "{place} has a range and is no field");
    }
}
