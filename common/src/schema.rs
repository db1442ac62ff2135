//! JSON schemas of everything that travels or is stored, generated from the types into `docs/schema/`.

use schemars::{Schema, schema_for};

/// File stems and schemas, in the order of the documentation.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("action-record", schema_for!(crate::action::ActionRecord)),
        ("catalogue", schema_for!(crate::catalogue::Catalogue)),
        ("check-job", schema_for!(crate::check::CheckJob)),
        ("check-result", schema_for!(crate::check::CheckResult)),
        ("event", schema_for!(crate::event::Event)),
        ("profile", schema_for!(crate::profile::Profile)),
        ("summary", schema_for!(crate::summary::Summary)),
        ("turn-job", schema_for!(crate::job::TurnJob)),
        ("turn-result", schema_for!(crate::job::TurnResult)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_committed_schemas_are_current() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema");
        let update = std::env::var_os("GG_UPDATE_SCHEMAS").is_some();
        for (name, schema) in schemas() {
            let text = serde_json::to_string_pretty(&schema).expect("json") + "\n";
            let path = folder.join(format!("{name}.json"));
            if update {
                std::fs::create_dir_all(&folder).expect("docs/schema");
                std::fs::write(&path, &text).expect("write");
            }
            let committed = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                committed == text,
                "{} is not what the types say: run GG_UPDATE_SCHEMAS=1 cargo test -p gg-common schema",
                path.display()
            );
        }
    }
}
