//! The page of exit statuses, as the help says them.

use super::Page;
use super::markdown::{code, table};
use crate::cli::statuses;

pub(super) fn page() -> Page {
    let about = "What a command of `coordinator` exits with; `--json` of `coordinator run` has it as `exitStatus`. `worker` \
                 means the same by 0, 2 and 3, and by 1 that a program failed or was rejected, or that a check did not hold.";
    let rows: Vec<Vec<String>> =
        statuses().map(|(status, meaning)| vec![code(&status.to_string()), meaning.to_owned()]).collect();
    super::page("exit-codes.md", "Exit codes", about, &table(&["status", "meaning"], &rows))
}
