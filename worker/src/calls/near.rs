//! Near names: what somebody may have meant.

/// At most three of the candidates that are close to `given`, nearest first. Case is no difference.
pub fn near<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = given.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            let mut score = strsim::jaro_winkler(&wanted, &lower);
            // Half a name, or a name with something around it, is nearer than its letters say.
            let (short, long) = if wanted.len() < lower.len() { (&wanted, &lower) } else { (&lower, &wanted) };
            if short.len() >= 3 && long.contains(short.as_str()) {
                score = score.max(0.9);
            }
            // In a short name one slip weighs more than it is.
            if wanted.chars().count() >= 3 && strsim::osa_distance(&wanted, &lower) == 1 {
                score = score.max(0.85);
            }
            (score, candidate)
        })
        .filter(|(score, _)| *score >= 0.78)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.truncate(3);
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

/// `; did you mean …?` for an error's end, or nothing where nothing is near.
pub fn did_you_mean(names: &[impl AsRef<str>]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [first @ .., last] => format!("; did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_few_and_nearest_first() {
        let names = ["read_file", "write_file", "read_text_file", "shell", "finish"];
        assert_eq!(near("red_file", names)[0], "read_file");
        assert!(near("red_file", names).len() <= 3);
        assert_eq!(near("finsh", names), ["finish"]);
        assert!(near("zzzzzz", names).is_empty());
        assert!(near("nobody", ["b"]).is_empty(), "a letter is in many names");
        assert_eq!(near("scr", ["src", "tests", "docs"]), ["src"]);
        assert_eq!(did_you_mean(&["a", "b", "c"]), "; did you mean `a`, `b` or `c`?");
        assert_eq!(did_you_mean(&[] as &[&str]), "");
    }
}
