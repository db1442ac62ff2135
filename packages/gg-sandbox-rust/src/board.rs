//! The run's board: epics, and the issues that agents work on.
#![doc(alias = "ggmodule:board")]

use crate::bindings::gg::sandbox::board as host;
use crate::core::{ApiError, TextEdit, Usage, called};

/// An epic that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedEpic {
    /// Its id, by which the other calls name it.
    pub id: String,
    /// How many epics there are now, and how many there may be.
    pub usage: Usage,
}

/// An issue that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedIssue {
    /// Its id, by which the other calls name it.
    pub id: String,
    /// How many issues there are now, and how many there may be.
    pub usage: Usage,
}

/// How far an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IssueStatus {
    /// Not begun.
    Open,
    /// Its agent works on it.
    InProgress,
    /// Its reviewers look at it.
    InReview,
    /// Finished and approved.
    Done,
    /// Given up.
    Cancelled,
}

/// What an issue says beside its title and its agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IssueOptions {
    /// More about it.
    pub description: Option<String>,
    /// What belongs to it.
    pub in_scope: Vec<String>,
    /// What does not belong to it.
    pub out_of_scope: Vec<String>,
    /// What must hold when it is done.
    pub completion_criteria: Vec<String>,
    /// The ids of the issues that must be done first.
    pub blocked_by: Vec<String>,
    /// The epic that it belongs to.
    pub epic_id: Option<String>,
    /// The profiles of the agents that review it.
    pub reviewers: Vec<String>,
}

/// What becomes of an issue's epic.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum EpicEdit {
    /// It stays in its epic.
    #[default]
    Keep,
    /// It leaves its epic.
    Ungroup,
    /// It moves to the epic of this id.
    Set(String),
}

/// Changes to an issue; what is `None` or `Keep` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IssuePatch {
    /// Its new title.
    pub title: Option<String>,
    /// What becomes of its description.
    pub description: TextEdit,
    /// What belongs to it, instead of the old list.
    pub in_scope: Option<Vec<String>>,
    /// What does not belong to it, instead of the old list.
    pub out_of_scope: Option<Vec<String>>,
    /// What must hold when it is done, instead of the old list.
    pub completion_criteria: Option<Vec<String>>,
    /// Its new status.
    pub status: Option<IssueStatus>,
    /// What becomes of its epic.
    pub epic: EpicEdit,
}

impl CreatedIssue {
    /// Waits for this issue once the program has ended; the next turn begins when it is done.
    ///
    /// # Errors
    ///
    /// [`ApiError`]: `Conflict` where the issue waits for this agent.
    #[doc(alias = "ggalias:board.wait_for_issue")]
    #[track_caller]
    pub fn wait_for_issue(&self) -> Result<String, ApiError> {
        wait_for_issue(&self.id)
    }
}

impl IssueStatus {
    fn to_host(self) -> host::IssueStatus {
        match self {
            IssueStatus::Open => host::IssueStatus::Open,
            IssueStatus::InProgress => host::IssueStatus::InProgress,
            IssueStatus::InReview => host::IssueStatus::InReview,
            IssueStatus::Done => host::IssueStatus::Done,
            IssueStatus::Cancelled => host::IssueStatus::Cancelled,
        }
    }
}

/// Makes an epic: a group of issues.
///
/// # Arguments
///
/// * `prefix` - 3 to 6 letters that begin the ids of its issues.
/// * `title` - What the epic is about, in a line.
/// * `description` - More about it.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for a bad prefix, `Conflict` where it is taken,
/// `LimitExceeded` where the board is full.
#[doc(alias = "ggop:board.create_epic")]
#[track_caller]
pub fn create_epic(prefix: &str, title: &str, description: &str) -> Result<CreatedEpic, ApiError> {
    let epic = host::NewEpic { prefix: prefix.into(), title: title.into(), description: description.into() };
    let created = called(host::create_epic(&epic))?;
    Ok(CreatedEpic { id: created.id, usage: Usage::from_host(created.usage) })
}

/// Makes an issue and hands it to an agent, who begins once nothing blocks it.
///
/// # Arguments
///
/// * `title` - What is to be done, in a line.
/// * `agent` - The profile of the agent that works on it.
/// * `options` - What else it says; nothing by `board::IssueOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown epic, issue or profile, `LimitExceeded` where the
/// board is full.
#[doc(alias = "ggop:board.create_issue")]
#[track_caller]
pub fn create_issue(title: &str, agent: &str, options: IssueOptions) -> Result<CreatedIssue, ApiError> {
    let issue = host::NewIssue {
        title: title.into(),
        description: options.description,
        in_scope: options.in_scope,
        out_of_scope: options.out_of_scope,
        completion_criteria: options.completion_criteria,
        blocked_by: options.blocked_by,
        epic_id: options.epic_id,
        agent: agent.into(),
        reviewers: options.reviewers,
    };
    let created = called(host::create_issue(&issue))?;
    Ok(CreatedIssue { id: created.id, usage: Usage::from_host(created.usage) })
}

/// Changes an issue.
///
/// # Arguments
///
/// * `id` - The issue.
/// * `patch` - What changes; write the rest as `..Default::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown issue or epic, `Refused` where the issue may not take
/// that status now.
#[doc(alias = "ggop:board.update_issue")]
#[track_caller]
pub fn update_issue(id: &str, patch: IssuePatch) -> Result<(), ApiError> {
    let patch = host::IssuePatch {
        title: patch.title,
        description: patch.description.into_host(),
        in_scope: patch.in_scope,
        out_of_scope: patch.out_of_scope,
        completion_criteria: patch.completion_criteria,
        status: patch.status.map(IssueStatus::to_host),
        epic: match patch.epic {
            EpicEdit::Keep => host::EpicEdit::Keep,
            EpicEdit::Ungroup => host::EpicEdit::Ungroup,
            EpicEdit::Set(id) => host::EpicEdit::Set(id),
        },
    };
    called(host::update_issue(id, &patch))
}

/// Replaces the list of issues that must be done before an issue.
///
/// # Arguments
///
/// * `id` - The issue.
/// * `blocked_by` - The ids of the issues that must be done first; an empty list frees it.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown id, `Conflict` where the issues would wait for each
/// other.
#[doc(alias = "ggop:board.set_issue_blocked_by")]
#[track_caller]
pub fn set_issue_blocked_by(id: &str, blocked_by: &[&str]) -> Result<(), ApiError> {
    let blocked_by: Vec<String> = blocked_by.iter().map(|id| (*id).to_owned()).collect();
    called(host::set_issue_blocked_by(id, &blocked_by))
}

/// Removes an epic, whose issues stay in no epic, and says how many epics there are now.
///
/// # Arguments
///
/// * `id` - The epic.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such epic.
#[doc(alias = "ggop:board.remove_epic")]
#[track_caller]
pub fn remove_epic(id: &str) -> Result<Usage, ApiError> {
    called(host::remove_epic(id)).map(Usage::from_host)
}

/// Removes an issue from the board, and says how many issues there are now.
///
/// # Arguments
///
/// * `id` - The issue.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such issue.
#[doc(alias = "ggop:board.remove_issue")]
#[track_caller]
pub fn remove_issue(id: &str) -> Result<Usage, ApiError> {
    called(host::remove_issue(id)).map(Usage::from_host)
}

/// Waits for an issue once this program has ended; the next turn begins when it is done.
///
/// The program itself goes on at once, with an acknowledgement.
///
/// # Arguments
///
/// * `id` - The issue.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such issue, `Conflict` where it waits for this
/// agent.
#[doc(alias = "ggop:board.wait_for_issue")]
#[track_caller]
pub fn wait_for_issue(id: &str) -> Result<String, ApiError> {
    called(host::wait_for_issue(id))
}
