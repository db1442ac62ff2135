//! Reading configuration: TOML files in which an unknown field is an error that names itself.

use figment::Figment;
use figment::providers::{Format, Toml};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Why a configuration file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file says something that the configuration has no place for.
    #[error("{}: {}", path.display(), messages.join("; "))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong, each with the field's path.
        messages: Vec<String>,
    },
}

/// Reads a TOML file as `T`. Types refuse unknown fields (`deny_unknown_fields`), so that a misspelt one is named.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    from_toml(path, &text)
}

/// Reads TOML text as `T`; `path` names it in errors.
pub fn from_toml<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, ConfigError> {
    Figment::from(Toml::string(text)).extract::<T>().map_err(|errors| ConfigError::Wrong {
        path: path.to_owned(),
        messages: errors
            .into_iter()
            .map(|error| match error.path.join(".") {
                field if field.is_empty() => error.kind.to_string(),
                field => format!("`{field}`: {}", error.kind),
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    #[test]
    fn a_misspelt_field_an_unknown_arm_and_bad_toml_are_named() {
        let read = |text: &str| from_toml::<Profile>(Path::new("run.toml"), text).map_err(|e| e.to_string());
        assert!(read("arm = 'python'\ncapabilities = ['read-file']").is_ok());
        let error = read("arm = 'python'\ncolour = 1").expect_err("unknown field");
        assert!(error.starts_with("run.toml: ") && error.contains("colour"), "{error}");
        let error = read("arm = 'cobol'").expect_err("unknown arm");
        assert!(error.contains("cobol") && error.contains("python"), "{error}");
        let error = read("arm = 'python'\ncapabilities = ['fly']").expect_err("unknown capability");
        assert!(error.contains("fly") && error.contains("read-file"), "{error}");
        let error = read("arm = ").expect_err("bad toml");
        assert!(error.contains("TOML"), "{error}");
    }
}
