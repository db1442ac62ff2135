//! Replacing one piece of text by another.

use super::problem::FileProblem;

/// How many places are looked for where there is more than one.
const COUNTED: usize = 1_000;
/// How many of them are named.
const NAMED: usize = 3;

/// Replaces `old`, which must be in `text` exactly once, by `new`. `path` is for the messages.
///
/// Places that overlap count each: `aa` is twice in `aaa`, and replacing either is a different edit.
pub fn replace_once(path: &str, text: &str, old: &str, new: &str) -> Result<String, FileProblem> {
    if old.is_empty() {
        let message = "the text to replace is empty: give a piece of the file, or write the whole file anew";
        return Err(FileProblem::Argument(message.to_owned()));
    }
    let places = places(text, old);
    match places.as_slice() {
        [] => Err(FileProblem::NoMatch { path: path.to_owned(), hint: hint(text, old) }),
        [at] => Ok([&text[..*at], new, &text[at + old.len()..]].concat()),
        several => {
            let lines = several.iter().take(NAMED).map(|at| 1 + text[..*at].matches('\n').count()).collect();
            Err(FileProblem::SeveralMatches { path: path.to_owned(), count: several.len(), lines })
        }
    }
}

fn places(text: &str, old: &str) -> Vec<usize> {
    let step = old.chars().next().map_or(1, char::len_utf8);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(old) {
        places.push(from + at);
        from += at + step;
        if places.len() == COUNTED {
            break;
        }
    }
    places
}

fn hint(text: &str, old: &str) -> &'static str {
    let without = |text: &str| text.replace('\r', "");
    let spaces = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if (text.contains('\r') || old.contains('\r')) && without(text).contains(&without(old)) {
        ": it differs in the ends of lines (the file and the text do not both have \\r\\n)"
    } else if !old.trim().is_empty() && spaces(text).contains(&spaces(old)) {
        ": it differs in white space"
    } else {
        ": read the file again and copy the text from it"
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::ProblemCode;
    use super::*;

    #[test]
    fn one_place_is_replaced() {
        assert_eq!(replace_once("f", "a b c", "b", "x"), Ok("a x c".to_owned()));
        assert_eq!(replace_once("f", "äöü", "ö", ""), Ok("äü".to_owned()));
        assert_eq!(replace_once("f", "b", "b", "b b"), Ok("b b".to_owned()));
    }

    #[test]
    fn none_several_and_nothing_are_refused_apart() {
        let refused = |text, old| {
            let problem = replace_once("f.txt", text, old, "x").expect_err("refused");
            (problem.code(), problem.to_string())
        };
        let (code, message) = refused("one\ntwo\none\n", "one");
        assert_eq!(code, ProblemCode::Conflict);
        assert_eq!(message, "the text to replace is 2 times in `f.txt` (lines 1, 3): give more of its surroundings");
        assert_eq!(refused("aaa", "aa").0, ProblemCode::Conflict, "places that overlap");
        assert_eq!(refused("ééé", "éé").0, ProblemCode::Conflict);
        assert_eq!(refused("a", "").0, ProblemCode::InvalidArgument);
        let (code, message) = refused("a\r\nb", "a\nb");
        assert_eq!(code, ProblemCode::NotFound);
        assert!(message.contains("ends of lines"), "{message}");
        assert!(refused("a\tb", "a  b").1.contains("white space"));
        assert!(refused("a", "q").1.contains("read the file again"));
    }
}
