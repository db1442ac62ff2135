//! The key of an endpoint: where it comes from, and that it goes nowhere but into the request's header.

use gg_common::model::ModelBinding;
use reqwest::header::HeaderValue;
use std::fmt;

/// A key. It has no form that is printed or stored.
#[derive(Clone)]
pub(super) struct Secret(String);

/// What stands where the key stood.
const MASK: &str = "[key]";

/// A key shorter than this is part of ordinary words, and masking it would blank them.
const LEAST_CHARS: usize = 4;

/// The most that a key file may hold, in bytes: what holds more is another file.
const MOST_BYTES: u64 = 16 * 1024;

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// Why there is no key, with the field that is about it. No message repeats what the field holds: it may be the key itself,
/// written into the wrong place.
pub(super) type SecretProblem = (&'static str, String);

impl Secret {
    /// The key that a binding names, from its file or from the environment; none where it names none.
    pub(super) fn of(
        binding: &ModelBinding,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Secret>, SecretProblem> {
        match (&binding.api_key_file, &binding.api_key_env) {
            (None, None) => Ok(None),
            (Some(_), Some(_)) => {
                Err(("model.apiKeyEnv", "`apiKeyFile` and `apiKeyEnv` both say where the key is: keep one".to_owned()))
            }
            (Some(path), None) => {
                let wrong = |message: String| ("model.apiKeyFile", message);
                let unreadable = |error: std::io::Error| {
                    wrong(format!(
                        "the file that `apiKeyFile` names cannot be read: {error}; write the path of a file that holds the key"
                    ))
                };
                if std::fs::metadata(path).map_err(unreadable)?.len() > MOST_BYTES {
                    return Err(wrong("the file that `apiKeyFile` names is too long for a key".to_owned()));
                }
                let text = gg_common::regular::read_to_string(path).map_err(unreadable)?;
                Secret::new(&text).map(Some).map_err(|what| wrong(format!("the file that `apiKeyFile` names {what}")))
            }
            (None, Some(name)) => {
                let wrong = |message: &str| ("model.apiKeyEnv", message.to_owned());
                if !is_variable(name) {
                    return Err(wrong(
                        "`apiKeyEnv` is no name of an environment variable: write the variable's name, and the key into the variable",
                    ));
                }
                let Some(text) = environment(name) else {
                    return Err(wrong("the environment variable that `apiKeyEnv` names is not set: set it to the key"));
                };
                Secret::new(&text)
                    .map(Some)
                    .map_err(|what| wrong(&format!("the environment variable that `apiKeyEnv` names {what}")))
            }
        }
    }

    /// A key without the white space around it; otherwise what is wrong with it.
    pub(super) fn new(text: &str) -> Result<Secret, &'static str> {
        let key = text.trim();
        if key.is_empty() {
            return Err("is empty: put the key there");
        }
        if key.len() < LEAST_CHARS || !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err("holds no key: a key is one line of ASCII without spaces");
        }
        Ok(Secret(key.to_owned()))
    }

    /// The value of a header that carries it, marked so that no log shows it.
    pub(super) fn header(&self, prefix: &str) -> HeaderValue {
        // A key is printable ASCII, so this is a value.
        let mut value =
            HeaderValue::from_str(&format!("{prefix}{}", self.0)).unwrap_or_else(|_| HeaderValue::from_static(""));
        value.set_sensitive(true);
        value
    }

    /// Whether a text holds the key.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(&self.0)
    }

    /// The text without the key, and without a part of it that the text breaks off in.
    pub(super) fn masked(&self, text: &str) -> String {
        let masked = text.replace(&self.0, MASK);
        let begun = (LEAST_CHARS..self.0.len()).rev().find(|length| masked.ends_with(&self.0[..*length]));
        match begun {
            Some(length) => format!("{}{MASK}", &masked[..masked.len() - length]),
            None => masked,
        }
    }
}

fn is_variable(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::model::ModelKind;
    use std::path::Path;

    const KEY: &str = "sk-live-0123456789";

    fn binding(file: Option<&Path>, env: Option<&str>) -> ModelBinding {
        ModelBinding {
            api_key_file: file.map(Path::to_owned),
            api_key_env: env.map(str::to_owned),
            ..ModelBinding::of(ModelKind::Openai)
        }
    }

    #[test]
    fn a_key_comes_from_a_file_or_a_variable_and_no_form_shows_it() {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = folder.path().join("key");
        std::fs::write(&path, format!("{KEY}\r\n")).expect("write");
        let from_file = Secret::of(&binding(Some(&path), None), |_| None).expect("read").expect("a key");
        let from_env = Secret::of(&binding(None, Some("THE_KEY")), |name| (name == "THE_KEY").then(|| KEY.to_owned()))
            .expect("read")
            .expect("a key");
        for key in [from_file, from_env] {
            assert_eq!(key.header("Bearer "), format!("Bearer {KEY}"));
            let shown = format!("{key:?} {:?}", key.header("Bearer "));
            assert!(!shown.contains(KEY) && shown.contains("Sensitive"), "{shown}");
            assert_eq!(key.masked(&format!("bad key {KEY}!")), "bad key [key]!");
            assert_eq!(key.masked(&format!("bad key {}", &KEY[..9])), "bad key [key]");
        }
        assert!(Secret::of(&binding(None, None), |_| None).expect("none").is_none());
    }

    #[test]
    fn what_is_wrong_is_told_without_repeating_what_may_be_the_key() {
        let folder = tempfile::tempdir().expect("tempdir");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("write");
            path
        };
        let (empty, two, long) =
            (write("empty", " \n"), write("two", "a-key and-more"), write("long", &"x".repeat(20_000)));
        let gone = folder.path().join(KEY);
        for (file, env, part) in [
            (Some(&*empty), None, "is empty"),
            (Some(&*two), None, "holds no key"),
            (Some(&*long), None, "too long"),
            (Some(&*gone), None, "cannot be read"),
            (None, Some(KEY), "write the variable's name"),
            (None, Some("sk_live_0123456789"), "is not set"),
            (Some(&*empty), Some("X"), "keep one"),
        ] {
            let (field, message) = Secret::of(&binding(file, env), |_| None).expect_err(part);
            assert!(message.contains(part), "{part}: {message}");
            assert!(!message.contains("live"), "{message}");
            assert_eq!(field, if env.is_some() { "model.apiKeyEnv" } else { "model.apiKeyFile" });
        }
    }
}
