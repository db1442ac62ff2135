//! `gg/board`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object, Value};

use super::{answer, object, optional, text_edit, texts, usage};
use crate::bindings::gg::sandbox::board::{self, Created, EpicEdit, IssuePatch, IssueStatus, NewEpic, NewIssue};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("createEpic", Func::from(create_epic))?;
    interface.set("createIssue", Func::from(create_issue))?;
    interface.set("updateIssue", Func::from(update_issue))?;
    interface.set("setIssueBlockedBy", Func::from(set_issue_blocked_by))?;
    interface.set("removeEpic", Func::from(remove_epic))?;
    interface.set("removeIssue", Func::from(remove_issue))?;
    interface.set("waitForIssue", Func::from(wait_for_issue))
}

fn create_epic<'js>(ctx: Ctx<'js>, epic: Object<'js>) -> rquickjs::Result<Object<'js>> {
    let epic =
        NewEpic { prefix: epic.get("prefix")?, title: epic.get("title")?, description: epic.get("description")? };
    created(&ctx, answer(&ctx, board::create_epic(&epic))?)
}

fn create_issue<'js>(ctx: Ctx<'js>, issue: Object<'js>) -> rquickjs::Result<Object<'js>> {
    let issue = NewIssue {
        title: issue.get("title")?,
        description: optional(&issue, "description")?,
        in_scope: texts(&issue, "inScope")?,
        out_of_scope: texts(&issue, "outOfScope")?,
        completion_criteria: texts(&issue, "completionCriteria")?,
        blocked_by: texts(&issue, "blockedBy")?,
        epic_id: optional(&issue, "epicId")?,
        agent: issue.get("agent")?,
        reviewers: texts(&issue, "reviewers")?,
    };
    created(&ctx, answer(&ctx, board::create_issue(&issue))?)
}

fn update_issue<'js>(ctx: Ctx<'js>, id: String, patch: Object<'js>) -> rquickjs::Result<()> {
    let status: Option<String> = optional(&patch, "status")?;
    let epic: Value = patch.get("epic")?;
    let patch = IssuePatch {
        title: optional(&patch, "title")?,
        description: text_edit(&patch, "description")?,
        in_scope: optional(&patch, "inScope")?,
        out_of_scope: optional(&patch, "outOfScope")?,
        completion_criteria: optional(&patch, "completionCriteria")?,
        status: status.map(|name| status_of(&ctx, &name)).transpose()?,
        epic: if epic.is_undefined() {
            EpicEdit::Keep
        } else if epic.is_null() {
            EpicEdit::Ungroup
        } else {
            EpicEdit::Set(epic.get()?)
        },
    };
    answer(&ctx, board::update_issue(&id, &patch))
}

fn set_issue_blocked_by(ctx: Ctx<'_>, id: String, blocked_by: Vec<String>) -> rquickjs::Result<()> {
    answer(&ctx, board::set_issue_blocked_by(&id, &blocked_by))
}

fn remove_epic(ctx: Ctx<'_>, id: String) -> rquickjs::Result<Object<'_>> {
    usage(&ctx, answer(&ctx, board::remove_epic(&id))?)
}

fn remove_issue(ctx: Ctx<'_>, id: String) -> rquickjs::Result<Object<'_>> {
    usage(&ctx, answer(&ctx, board::remove_issue(&id))?)
}

fn wait_for_issue(ctx: Ctx<'_>, id: String) -> rquickjs::Result<String> {
    answer(&ctx, board::wait_for_issue(&id))
}

fn created<'js>(ctx: &Ctx<'js>, created: Created) -> rquickjs::Result<Object<'js>> {
    Ok(object!(ctx, { "id": created.id, "usage": usage(ctx, created.usage)? }))
}

fn status_of(ctx: &Ctx<'_>, name: &str) -> rquickjs::Result<IssueStatus> {
    Ok(match name {
        "open" => IssueStatus::Open,
        "in-progress" => IssueStatus::InProgress,
        "in-review" => IssueStatus::InReview,
        "done" => IssueStatus::Done,
        "cancelled" => IssueStatus::Cancelled,
        other => return Err(Exception::throw_type(ctx, &format!("no issue status is named {other}"))),
    })
}
