//! Imported names that are only types: TypeScript leaves their imports out, and the guest would look for them in vain.

use super::emit;
use super::parse::Parsed;
use std::collections::HashSet;
use swc_common::{BytePos, Spanned};
use swc_ecma_ast::{ImportDecl, ModuleDecl, ModuleItem, Program};

/// The program's text, with what it imports and uses as a type alone blanked out.
pub(super) fn without_types(parsed: &Parsed) -> String {
    let mut kept = Program::Module(parsed.module.clone());
    emit::strip_types(&mut kept);
    let kept: HashSet<BytePos> = kept.as_module().map(imports).into_iter().flatten().flat_map(starts).collect();
    let mut text = parsed.text().to_owned();
    // From the end, so that what is before keeps its place.
    for import in imports(&parsed.module).collect::<Vec<_>>().into_iter().rev() {
        if import.type_only || starts(import).all(|start| kept.contains(&start)) {
            continue;
        }
        if !kept.contains(&import.span.lo) {
            blank(&mut text, parsed.at(import.span.lo), parsed.at(import.span.hi));
            continue;
        }
        for specifier in import.specifiers.iter().rev().filter(|one| !kept.contains(&one.span().lo)) {
            let span = specifier.span();
            let end = parsed.at(span.hi);
            let end = comma_after(&text, end).unwrap_or(end);
            blank(&mut text, parsed.at(span.lo), end);
        }
    }
    text
}

fn imports(module: &swc_ecma_ast::Module) -> impl Iterator<Item = &ImportDecl> {
    module.body.iter().filter_map(|item| match item {
        ModuleItem::ModuleDecl(ModuleDecl::Import(import)) => Some(import),
        _ => None,
    })
}

/// Where an import and each of its names start.
fn starts(import: &ImportDecl) -> impl Iterator<Item = BytePos> {
    std::iter::once(import.span.lo).chain(import.specifiers.iter().map(|one| one.span().lo))
}

/// Behind the comma that follows a name, if one does.
fn comma_after(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = &text[at..];
        let skipped = rest.trim_start();
        at += rest.len() - skipped.len();
        at += match skipped {
            comment if comment.starts_with("//") => comment.find('\n')?,
            comment if comment.starts_with("/*") => comment.find("*/")? + 2,
            comma if comma.starts_with(',') => return Some(at + 1),
            _ => return None,
        };
    }
}

/// Blanks a part of a text: each UTF-16 unit becomes a space, line ends stay.
fn blank(text: &mut String, from: usize, to: usize) {
    let mut blanked = String::with_capacity(to - from);
    for character in text[from..to].chars() {
        if matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}') {
            blanked.push(character);
        } else {
            blanked.extend(std::iter::repeat_n(' ', character.len_utf16()));
        }
    }
    text.replace_range(from..to, &blanked);
}
