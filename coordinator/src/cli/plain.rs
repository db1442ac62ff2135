//! Texts of programs and models on a person's terminal.

use std::borrow::Cow;

/// The text with every control character but line ends and tabs made visible: what a program prints or a model says must
/// not move the cursor, set the title or answer for the person who reads it.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c == '\n' || c == '\t' || !(c.is_control() || is_direction(c));
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_plain(c) => shown.push(c),
            // The Unicode pictures of the ASCII control characters.
            c if (c as u32) < 0x20 => shown.extend(char::from_u32(0x2400 + c as u32)),
            '\x7f' => shown.push('\u{2421}'),
            c => shown.push_str(&format!("<{:02X}>", c as u32)),
        }
    }
    Cow::Owned(shown)
}

/// Characters that turn the direction of what follows.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_act_on_a_terminal_is_made_visible() {
        assert_eq!(printable("a\tb\nç 日本"), "a\tb\nç 日本");
        assert!(matches!(printable("plain"), Cow::Borrowed(_)));
        assert_eq!(printable("\x1b[2J\r\0\x7f\u{9b}1m"), "␛[2J␍␀␡<9B>1m");
        assert_eq!(printable("a\u{202e}b"), "a<202E>b");
    }
}
