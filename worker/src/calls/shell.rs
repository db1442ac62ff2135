//! Commands in the agent's tree, each in a confined child of its own.

use super::{Turn, error};
use crate::confine::credentials::SlotIds;
use crate::confine::shell::{ShellContext, ShellError, shell as run_command};
use crate::contract::shell::ShellOutput;
use crate::contract::{ApiError, ErrorCode};
use crate::home::watch::TreeWatch;
use gg_common::operation::Operation;

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
