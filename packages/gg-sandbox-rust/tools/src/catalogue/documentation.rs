//! Comments as rustdoc gives them, as the model reads them.

/// A comment: what it says before its first heading, and what stands under its headings.
pub struct Documentation<'a> {
    whole: &'a str,
}

impl<'a> Documentation<'a> {
    pub fn of(docs: Option<&'a str>) -> Self {
        Documentation { whole: docs.unwrap_or_default().trim() }
    }

    /// All of it, with rustdoc's links as plain code and code blocks without their settings.
    pub fn text(&self) -> String {
        plain(self.whole)
    }

    /// Its first sentence.
    pub fn summary(&self) -> String {
        let paragraph = self.whole.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        let end = paragraph
            .match_indices(['.', '?', '!'])
            .find(|(at, _)| paragraph[at + 1..].is_empty() || paragraph[at + 1..].starts_with(' '))
            .map_or(paragraph.len(), |(at, _)| at + 1);
        plain(&paragraph[..end])
    }

    /// What stands under a heading.
    pub fn section(&self, heading: &str) -> Option<&'a str> {
        let start = self.whole.find(&format!("# {heading}\n"))?;
        let section = &self.whole[start + heading.len() + 3..];
        Some(section.split("\n# ").next().unwrap_or_default().trim())
    }

    /// The parameters that `# Arguments` describes, in its order.
    pub fn arguments(&self) -> Vec<(String, String)> {
        let mut arguments: Vec<(String, String)> = vec![];
        for line in self.section("Arguments").unwrap_or_default().lines() {
            let described = line.strip_prefix("* `").and_then(|rest| rest.split_once("` - "));
            match (described, arguments.last_mut()) {
                (Some((name, text)), _) => arguments.push((name.to_owned(), plain(text))),
                (None, Some((_, text))) => {
                    text.push(' ');
                    text.push_str(&plain(line.trim()));
                }
                (None, None) => {}
            }
        }
        arguments
    }
}

fn plain(text: &str) -> String {
    text.replace("[`", "`").replace("`]", "`").replace("```ignore", "```").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMENT: &str = "Reads a file, e.g. [`this`]. Well.\n\nMore.\n\n# Arguments\n\n* `path` - The file,\n  relative.\n* `limit` - How much.\n\n# Errors\n\n[`ApiError`]: sometimes.";

    #[test]
    fn a_comment_is_taken_apart_at_its_headings() {
        let documentation = Documentation::of(Some(COMMENT));
        assert_eq!(documentation.section("Errors"), Some("[`ApiError`]: sometimes."));
        assert_eq!(documentation.section("Panics"), None);
        let arguments = documentation.arguments();
        assert_eq!(arguments[0], ("path".to_owned(), "The file, relative.".to_owned()));
        assert_eq!(arguments[1], ("limit".to_owned(), "How much.".to_owned()));
        assert!(documentation.text().contains("`ApiError`: sometimes."));
    }

    #[test]
    fn a_summary_is_the_first_sentence() {
        assert_eq!(Documentation::of(Some("One\ntwo. Three.")).summary(), "One two.");
        assert_eq!(Documentation::of(Some("As in `a.b`. Two")).summary(), "As in `a.b`.");
        assert_eq!(Documentation::of(None).summary(), "");
    }
}
