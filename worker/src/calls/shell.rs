//! Commands in the agent's tree, each in a confined child of its own.

use super::{Turn, error};
use crate::confine::credentials::SlotIds;
use crate::confine::shell::{ShellContext, ShellError, shell as run_command};
use crate::confine::{LimitReached, Watch, nameless_files};
use crate::contract::shell::ShellOutput;
use crate::contract::{ApiError, ErrorCode};
use crate::home::disk;
use crate::home::tree::{TreeError, TreeLimits, usage};
use gg_common::operation::Operation;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Holds the limits on the tree while a command runs.
struct TreeWatch {
    tree: PathBuf,
    /// A folder on the same disk.
    scratch: PathBuf,
    limits: TreeLimits,
}

impl Watch for TreeWatch {
    fn check(&mut self, processes: &[libc::pid_t]) -> Option<LimitReached> {
        // A tree that cannot be looked into, which a command may have closed, still takes room on its disk.
        let mut found = usage(&self.tree, &self.limits).unwrap_or_default();
        if let Ok(tree) = std::fs::metadata(&self.tree) {
            for (size, blocks) in nameless_files(processes, tree.dev()) {
                found.add_nameless_file(size, blocks);
            }
        }
        found.disk_free = std::fs::File::open(&self.scratch).and_then(disk::free).ok();
        match self.limits.check(&found) {
            Err(TreeError::Limit { name, limit, .. }) => Some(LimitReached { name: name.to_owned(), bound: limit }),
            _ => None,
        }
    }
}

/// `shell.shell`: a non-zero exit is a success of the call.
pub fn shell(turn: &mut Turn<'_>, command: String, timeout_secs: Option<u32>) -> Result<ShellOutput, ApiError> {
    let tree = turn.home.tree_folder();
    let scratch = turn.home.scratch_folder();
    let mut watch = TreeWatch { tree: tree.clone(), scratch: scratch.clone(), limits: turn.tree_limits };
    let ids = turn.home.owner().map_or_else(SlotIds::current, |(uid, gid)| SlotIds { uid, gid });
    let context = ShellContext {
        settings: turn.children,
        tree: &tree,
        scratch: &scratch,
        ids,
        limits: &turn.profile.limits,
        read_only_paths: &turn.profile.shell.read_only_paths,
        left: Some(turn.time_left()),
        watch: Some(&mut watch),
        cancel: None,
    };
    match run_command(&command, timeout_secs, context) {
        Ok(output) => {
            turn.unconfined |= !output.held.is_confinement();
            Ok(ShellOutput { exit_code: output.exit_code, output: output.output, truncated: output.truncated })
        }
        Err(problem) => {
            let code = match &problem {
                ShellError::InvalidArgument(_) => ErrorCode::InvalidArgument,
                ShellError::LimitExceeded(_) | ShellError::Cancelled => ErrorCode::LimitExceeded,
                ShellError::NotRun(_) => ErrorCode::Other,
            };
            Err(error(Operation::ShellShell, code, problem.to_string()))
        }
    }
}
