//! The keys of code modules: the name of a skill or a memory, spelled as the language's users spell a module.

/// The words of a name: what is no ASCII letter or digit stands between them, and so does a capital after a small letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        let is_part = letter.is_ascii_alphanumeric();
        if !is_part || (letter.is_ascii_uppercase() && was_small) {
            words.push(String::new());
        }
        if is_part && let Some(word) = words.last_mut() {
            word.push(letter.to_ascii_lowercase());
        }
        was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a name without a letter is called.
const NAMELESS: &str = "module";

/// The longest key: compilers make names of files with it, more than once in a name.
const KEY_BYTES: usize = 64;

/// A digit begins no identifier, and a reserved name is somebody else's.
fn free(key: String, is_reserved: impl Fn(&str) -> bool) -> String {
    let mut key = if key.is_empty() { NAMELESS.to_owned() } else { key };
    key.truncate(KEY_BYTES);
    if key.starts_with(|first: char| first.is_ascii_digit()) || is_reserved(&key) { format!("_{key}") } else { key }
}

/// `csv_tools`, with an underscore before what is reserved.
pub fn snake_case(name: &str, is_reserved: impl Fn(&str) -> bool) -> String {
    free(words(name).join("_"), is_reserved)
}

/// `csvTools`, likewise.
pub fn camel_case(name: &str, is_reserved: impl Fn(&str) -> bool) -> String {
    let mut key = String::new();
    for word in words(name) {
        match (key.is_empty(), word.split_at_checked(1)) {
            (false, Some((first, rest))) => key.extend([first.to_ascii_uppercase().as_str(), rest]),
            _ => key.push_str(&word),
        }
    }
    free(key, is_reserved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_spelled_as_a_module() {
        let none = |_: &str| false;
        for (name, snake, camel) in [
            ("CSV tools", "csv_tools", "csvTools"),
            ("csv-tools.v2", "csv_tools_v2", "csvToolsV2"),
            ("parseTable", "parse_table", "parseTable"),
            ("3 ways", "_3_ways", "_3Ways"),
            ("größe", "gr_e", "grE"),
            ("…", "module", "module"),
            ("_private", "private", "private"),
        ] {
            assert_eq!((snake_case(name, none), camel_case(name, none)), (snake.to_owned(), camel.to_owned()));
        }
        assert_eq!(snake_case("Gg", |key| key == "gg"), "_gg");
        assert_eq!(camel_case("class", |key| key == "class"), "_class");
    }

    proptest! {
        #[test]
        fn a_key_is_an_identifier_whatever_the_name_is(name in "\\PC{0,300}") {
            for key in [snake_case(&name, |_| false), camel_case(&name, |_| false)] {
                prop_assert!(!key.starts_with(|first: char| first.is_ascii_digit()) && key.len() <= KEY_BYTES + 1);
                prop_assert!(!key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
            }
        }
    }
}
