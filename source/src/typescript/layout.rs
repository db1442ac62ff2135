//! Putting what was written anew back to where it stood: each token to its own line, and to its own column where there is
//! room. So a program that reads its own stack reads lines of its own, too. White space is all that changes; that it is,
//! is held against the tree.

use super::parse::{self, Parsed};
use crate::places::{Lines, Places};
use std::collections::HashMap;
use swc_common::{BytePos, EqIgnoreSpan, LineCol};
use swc_ecma_ast::Module;
use swc_ecma_parser::unstable::{Token, TokenAndSpan};

/// What was written, laid out, and where its tokens stood where that is elsewhere.
pub(super) fn laid_out(parsed: &Parsed, written: &str, map: &[(BytePos, LineCol)]) -> (String, Places) {
    let origins = origins(parsed, written, map);
    if let Some((module, tokens)) = parse::tokens(written) {
        let (text, places) = lay_out(parsed, written, &tokens, &origins);
        let same = parse::tokens(&text).is_some_and(|(laid, rest)| {
            let same = is_same(&module, &laid);
            std::mem::forget((laid, rest));
            same
        });
        std::mem::forget((module, tokens));
        if same {
            return (text, places);
        }
    }
    // Where that would be another program, it stays as it was written.
    let lines = Lines::of(written);
    let mut places: Vec<[u32; 4]> = origins
        .into_iter()
        .map(|(at, (line, column))| {
            let (on, from) = lines.place(at);
            [on, from, line, column]
        })
        .collect();
    places.sort_unstable();
    (written.to_owned(), Places(places))
}

fn is_same(module: &Module, other: &Module) -> bool {
    module.body.eq_ignore_span(&other.body)
}

/// Where a byte of what was written stood, by the writer's own account.
fn origins(parsed: &Parsed, written: &str, map: &[(BytePos, LineCol)]) -> HashMap<usize, (u32, u32)> {
    let (lines, source) = (Lines::of(written), Lines::of(parsed.text()));
    let within = parsed.file.start_pos..=parsed.file.end_pos;
    // Of two places that were written at one, the last is what begins there.
    map.iter()
        .filter(|(position, _)| within.contains(position))
        .map(|(position, at)| (lines.at(at.line, at.col), source.place(parsed.at(*position))))
        .collect()
}

/// After these a line end means something.
const HELD_BEHIND: &[&str] = &["return", "throw", "break", "continue", "yield", "async", "using", "type"];
/// And before these.
const HELD_BEFORE: &[&str] = &["++", "--", "=>"];

fn lay_out(
    parsed: &Parsed,
    written: &str,
    tokens: &[TokenAndSpan],
    origins: &HashMap<usize, (u32, u32)>,
) -> (String, Places) {
    let mut page = Page::default();
    if let Some(shebang) = &parsed.module.shebang {
        page.write(&format!("#!{shebang}\n"));
    }
    let (mut places, mut before, mut end) = (Vec::new(), "", 0);
    let mut before_is_text = false;
    for token in tokens {
        let (from, to) = (token.span.lo.0 as usize - 1, token.span.hi.0 as usize - 1);
        let (Some(text), Some(gap)) = (written.get(from..to), written.get(end..from)) else { continue };
        let is_text = matches!(token.token, Token::Template | Token::TemplateMiddle | Token::TemplateTail);
        let may_move = !(before_is_text || is_text || token.token == Token::BackQuote);
        let origin = origins.get(&from).copied();
        let mut spaced = gap.is_empty();
        if let Some((line, column)) = origin.filter(|_| may_move) {
            let may_break = !HELD_BEHIND.contains(&before) && !HELD_BEFORE.contains(&text);
            while may_break && page.line < line {
                page.write("\n");
                spaced = true;
            }
            if page.line == line && page.column < column {
                page.write(&" ".repeat((column - page.column) as usize));
                spaced = true;
            }
        }
        if !spaced {
            page.write(" ");
        }
        if let Some((line, column)) = origin {
            places.push([page.line, page.column, line, column]);
        }
        page.write(text);
        before_is_text = matches!(token.token, Token::Template | Token::BackQuote);
        (before, end) = (text, to);
    }
    page.write("\n");
    (page.text, Places(places))
}

/// A text that is being written, and where its end is.
struct Page {
    text: String,
    line: u32,
    column: u32,
}

impl Default for Page {
    fn default() -> Page {
        Page { text: String::new(), line: 1, column: 1 }
    }
}

impl Page {
    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        let lines = Lines::of(text);
        let (line, column) = lines.place(text.len());
        self.column = if line == 1 { self.column + column - 1 } else { column };
        self.line += line - 1;
    }
}
