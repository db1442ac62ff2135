//! What models put around a program, from the habit of being read by people: a code fence, a sentence before or after.

/// What a reply must be, told once: with the first that was something else.
pub(super) const WHAT_A_REPLY_IS: &str = "A reply is the program and nothing else, byte for byte: leave out the code fence and the prose around it, and put what you want to note into a comment.";

/// Whether a reply that its language could not parse has a fence or prose around its program: whether its first or its
/// last line that says something is one.
pub(super) fn is_wrapped(reply: &str) -> bool {
    let mut lines = reply.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next();
    let last = lines.next_back();
    first.into_iter().chain(last).any(|line| is_fence(line) || is_prose(line))
}

/// Three or more back ticks or tildes, and at most a word after them.
fn is_fence(line: &str) -> bool {
    ["```", "~~~"].iter().any(|fence| {
        line.strip_prefix(fence).is_some_and(|rest| rest.trim_start_matches(['`', '~']).split_whitespace().count() <= 1)
    })
}

/// What begins and ends as a sentence does and either holds no sign that code needs, or is long and mostly words.
fn is_prose(line: &str) -> bool {
    const CODE: [char; 13] = ['=', '(', ')', '[', ']', '{', '}', '<', '>', '#', '\\', ';', '@'];
    let begins = line.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    let ends = line.ends_with(['.', ':', '!', '?', '。', '：', '！', '？']);
    if !begins || !ends {
        return false;
    }
    let is_word = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
    };
    let all = line.split_whitespace().count();
    let words = line.split_whitespace().filter(is_word).count();
    // What is written without spaces is long instead.
    let some = all >= 3 || (!line.is_ascii() && line.chars().count() >= 6);
    (some && !line.contains(CODE)) || (all >= 8 && words * 10 >= all * 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_or_prose_around_a_program_is_seen() {
        for reply in [
            "```python\nprint(1)\n```",
            "\n  ```\nprint(1)\n```\n",
            "~~~\nx = 1\n~~~",
            "Here's the program that counts the words:\n\nprint(1)\n",
            "Here is it:\n```js\nlet a = 1;\n```\nHope this helps!",
            "print(1)\nThis program prints the number one.",
            "print(1)\n```",
            "I am sorry, but I cannot do that.",
            "これはプログラムです。\nprint(1)",
            "The task is to count the words of the text files (`.txt`) and write them to a file.",
        ] {
            assert!(is_wrapped(reply), "{reply}");
        }
    }

    #[test]
    fn a_program_that_does_not_parse_for_another_reason_is_not() {
        for reply in [
            "",
            "print(1",
            "for a in b:\n  c d\n",
            "class Words of something:\n  pass",
            "# Here is the program:\nx = = 1",
            "text = '''\n```\nfenced\n```\n'''\nx = = 1",
            "// Counts words.\nlet a = ;",
            "if x is not None:\npass",
            "x = `a`\ny = ```b``` c d",
        ] {
            assert!(!is_wrapped(reply), "{reply}");
        }
    }
}
