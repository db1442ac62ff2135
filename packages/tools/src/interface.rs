//! What a component asks for and offers.

use anyhow::{Result, bail};
use wasmparser::{Encoding, Parser, Payload, Validator};

/// `import NAME` and `export NAME` of a valid component.
pub fn of(component: &[u8]) -> Result<Vec<String>> {
    Validator::new().validate_all(component)?;
    let mut lines = vec![];
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::Version { encoding: Encoding::Module, .. } if depth == 0 => bail!("this is a core module"),
            // What is nested has imports and exports of its own.
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if depth == 0 => {
                for import in imports {
                    lines.push(format!("import {}", import?.name.name));
                }
            }
            Payload::ComponentExportSection(exports) if depth == 0 => {
                for export in exports {
                    lines.push(format!("export {}", export?.name.name));
                }
            }
            _ => {}
        }
    }
    Ok(lines)
}
