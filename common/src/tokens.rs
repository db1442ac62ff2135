//! The token estimator that both sides share: how much of a model's window a text takes, roughly.

/// An estimate of the tokens of a text: words of letters and digits cost one per started four characters, each other
/// visible character costs one, and wide scripts cost one a character. Deterministic, and monotonic under concatenation
/// up to one token a joint.
pub fn estimate(text: &str) -> u32 {
    let mut tokens: u64 = 0;
    let mut word: u64 = 0;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word += 1;
            continue;
        }
        tokens += word.div_ceil(4);
        word = 0;
        // A space joins the word after it; a line break and everything else is a token of its own.
        if c != ' ' {
            tokens += 1;
        }
    }
    tokens += word.div_ceil(4);
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_cost_by_length_and_signs_one_each() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("word"), 1);
        assert_eq!(estimate("words"), 2);
        assert_eq!(estimate("two words\n"), 4);
        assert_eq!(estimate("日本語"), 3);
    }

    proptest! {
        #[test]
        fn joining_costs_at_most_one_token_of_difference(a in ".{0,60}", b in ".{0,60}") {
            let joined = estimate(&format!("{a}{b}"));
            let apart = estimate(&a) + estimate(&b);
            prop_assert!(joined <= apart && apart <= joined + 1);
        }
    }
}
