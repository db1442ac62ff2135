//! `gg/tasks`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object};

use super::{answer, optional, text_edit, texts, usage};
use crate::bindings::gg::sandbox::tasks::{self, NewTask, TaskPatch, TaskStatus};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("addTask", Func::from(add_task))?;
    interface.set("updateTask", Func::from(update_task))?;
    interface.set("setBlockedBy", Func::from(set_blocked_by))?;
    interface.set("completeTask", Func::from(complete_task))?;
    interface.set("removeTask", Func::from(remove_task))
}

fn add_task<'js>(ctx: Ctx<'js>, task: Object<'js>) -> rquickjs::Result<Object<'js>> {
    let task = NewTask {
        id: task.get("id")?,
        title: task.get("title")?,
        description: optional(&task, "description")?,
        blocked_by: texts(&task, "blockedBy")?,
    };
    usage(&ctx, answer(&ctx, tasks::add_task(&task))?)
}

fn update_task<'js>(ctx: Ctx<'js>, id: String, patch: Object<'js>) -> rquickjs::Result<()> {
    let status: Option<String> = optional(&patch, "status")?;
    let patch = TaskPatch {
        title: optional(&patch, "title")?,
        description: text_edit(&patch, "description")?,
        status: status.map(|name| status_of(&ctx, &name)).transpose()?,
    };
    answer(&ctx, tasks::update_task(&id, &patch))
}

fn set_blocked_by(ctx: Ctx<'_>, id: String, blocked_by: Vec<String>) -> rquickjs::Result<()> {
    answer(&ctx, tasks::set_blocked_by(&id, &blocked_by))
}

fn complete_task(ctx: Ctx<'_>, id: String) -> rquickjs::Result<()> {
    answer(&ctx, tasks::complete_task(&id))
}

fn remove_task(ctx: Ctx<'_>, id: String) -> rquickjs::Result<Object<'_>> {
    usage(&ctx, answer(&ctx, tasks::remove_task(&id))?)
}

fn status_of(ctx: &Ctx<'_>, name: &str) -> rquickjs::Result<TaskStatus> {
    Ok(match name {
        "pending" => TaskStatus::Pending,
        "in-progress" => TaskStatus::InProgress,
        "done" => TaskStatus::Done,
        other => return Err(Exception::throw_type(ctx, &format!("no task status is named {other}"))),
    })
}
