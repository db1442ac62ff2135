//! Ranking of documentation: BM25 over stemmed words, a name's words weighing more than its prose, with the everyday words
//! for what calls do joined to the words that the calls use.

use gg_common::catalogue::{Catalogue, Entry, EntryKind, Module};
use rust_stemmers::{Algorithm, Stemmer};
use std::collections::{BTreeMap, HashMap};

const K1: f64 = 1.2;
const B: f64 = 0.5;
const NAME_WEIGHT: f64 = 4.0;
const SUMMARY_WEIGHT: f64 = 2.0;
const PROSE_WEIGHT: f64 = 0.6;

/// What people say for what calls are named by.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["save", "store", "create", "output"], &["write"]),
    (&["load", "cat", "print"], &["read", "open"]),
    (&["find", "lookup", "match"], &["search"]),
    (&["grep", "regex", "pattern"], &["search", "files"]),
    (&["replace", "change", "modify", "patch", "substitute"], &["edit", "update"]),
    (&["ls", "folder", "directories", "directory"], &["dir", "list"]),
    (&["bash", "command", "exec", "process", "terminal", "run"], &["shell", "command"]),
    (&["show", "display", "present"], &["open", "view"]),
    (&["done", "end", "complete", "quit", "stop", "submit"], &["finish"]),
    (&["help", "documentation", "manual", "api"], &["docs", "documentation"]),
    (&["previous", "earlier", "past"], &["history", "program"]),
    (&["accept"], &["approve"]),
    (&["reject"], &["request", "changes"]),
];

#[derive(Debug)]
struct Document {
    weights: HashMap<String, f64>,
    length: f64,
}

/// An index over one arm's catalogue.
pub struct DocsIndex {
    stemmer: Stemmer,
    entries: Vec<Document>,
    modules: Vec<Document>,
    frequency: HashMap<String, usize>,
    mean_length: f64,
}

impl std::fmt::Debug for DocsIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DocsIndex").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl DocsIndex {
    /// Indexes a catalogue.
    pub fn new(catalogue: &Catalogue) -> DocsIndex {
        let stemmer = Stemmer::create(Algorithm::English);
        let entries: Vec<Document> = catalogue
            .entries
            .iter()
            .map(|e| {
                let members: Vec<&str> =
                    e.parameters.iter().chain(&e.fields).chain(&e.variants).map(|m| m.documentation.as_str()).collect();
                document(&stemmer, &[&e.name, &e.module], &e.summary, &[&e.documentation, &members.join(" ")])
            })
            .collect();
        let modules: Vec<Document> =
            catalogue.modules.iter().map(|m| document(&stemmer, &[&m.name], &m.summary, &[])).collect();
        let mut frequency = HashMap::new();
        for document in &entries {
            for word in document.weights.keys() {
                *frequency.entry(word.clone()).or_default() += 1;
            }
        }
        let total: f64 = entries.iter().map(|d| d.length).sum();
        let mean_length = total / entries.len().max(1) as f64;
        DocsIndex { stemmer, entries, modules, frequency, mean_length }
    }

    /// Entries with their scores, those without a word of the query left out. An empty query gives all, unscored.
    pub fn rank<'a>(&self, catalogue: &'a Catalogue, query: &str) -> Vec<(f64, &'a Entry)> {
        let terms = self.terms(query);
        let scored = catalogue.entries.iter().zip(&self.entries).map(|(entry, document)| {
            let mut score = self.score(document, &terms);
            // A call answers "how do I"; a type rarely does.
            if entry.kind == EntryKind::Type {
                score *= 0.5;
            }
            if entry.key == query || entry.name == query {
                score += 100.0;
            }
            (score, entry)
        });
        scored.filter(|(score, _)| terms.is_empty() || *score > 0.0).collect()
    }

    /// Modules with their scores, likewise.
    pub fn rank_modules<'a>(&self, catalogue: &'a Catalogue, query: &str) -> Vec<(f64, &'a Module)> {
        let terms = self.terms(query);
        let scored = catalogue.modules.iter().zip(&self.modules).map(|(m, d)| (self.score(d, &terms) * 0.5, m));
        scored.filter(|(score, _)| terms.is_empty() || *score > 0.0).collect()
    }

    /// The query's stems with their weights: its own words whole, their synonyms half.
    fn terms(&self, query: &str) -> BTreeMap<String, f64> {
        let mut terms = BTreeMap::new();
        for word in words(query) {
            for (said, meant) in SYNONYMS {
                if said.contains(&word.as_str()) {
                    for other in *meant {
                        let weight = terms.entry(self.stemmer.stem(other).into_owned()).or_insert(0.0);
                        *weight = f64::max(*weight, 0.5);
                    }
                }
            }
            terms.insert(self.stemmer.stem(&word).into_owned(), 1.0);
        }
        terms
    }

    fn score(&self, document: &Document, terms: &BTreeMap<String, f64>) -> f64 {
        let count = self.entries.len() as f64;
        let norm = K1 * (1.0 - B + B * document.length / self.mean_length.max(1.0));
        terms
            .iter()
            .filter_map(|(term, weight)| {
                let tf = *document.weights.get(term)?;
                let df = self.frequency.get(term).copied().unwrap_or(0) as f64;
                let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
                Some(weight * idf * tf * (K1 + 1.0) / (tf + norm))
            })
            .sum()
    }
}

fn document(stemmer: &Stemmer, names: &[&str], summary: &str, prose: &[&str]) -> Document {
    let mut weights: HashMap<String, f64> = HashMap::new();
    let mut length = 0.0;
    let mut add = |text: &str, weight: f64| {
        for word in words(text) {
            *weights.entry(stemmer.stem(&word).into_owned()).or_default() += weight;
            length += 1.0;
        }
    };
    names.iter().for_each(|name| add(name, NAME_WEIGHT));
    add(summary, SUMMARY_WEIGHT);
    prose.iter().for_each(|text| add(text, PROSE_WEIGHT));
    Document { weights, length }
}

/// Words that say nothing about what a call does.
const STOP: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "do", "for", "from", "how", "i", "in", "is", "it", "its", "of", "on", "or",
    "that", "the", "this", "to", "with",
];

/// Lower-case words; `readTextFile` and `read_text_file` are three.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words.push(word);
    words.retain(|w| !w.is_empty() && !STOP.contains(&w.as_str()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_either_style_are_split_into_words() {
        assert_eq!(words("readTextFile"), ["read", "text", "file"]);
        assert_eq!(words("files.read_text_file: how to"), ["files", "read", "text", "file"]);
    }
}
