//! `gg/delegation`.

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object};

use super::{answer, list, object, optional};
use crate::bindings::gg::sandbox::delegation::{self, Assignment};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("spawnSubagent", Func::from(spawn_subagent))?;
    interface.set("waitForSubagents", Func::from(wait_for_subagents))?;
    interface.set("sendMessage", Func::from(send_message))?;
    interface.set("transitionState", Func::from(transition_state))?;
    interface.set("exec", Func::from(exec))?;
    interface.set("fork", Func::from(fork))
}

fn spawn_subagent<'js>(ctx: Ctx<'js>, agent: String, work: Object<'js>) -> rquickjs::Result<Object<'js>> {
    let work = match optional(&work, "issue")? {
        Some(issue) => Assignment::Issue(issue),
        None => Assignment::Prompt(work.get("prompt")?),
    };
    let subagent = answer(&ctx, delegation::spawn_subagent(&agent, &work))?;
    Ok(object!(ctx, { "id": subagent.id, "profile": subagent.profile, "modelId": subagent.model_id }))
}

fn wait_for_subagents(ctx: Ctx<'_>, ids: Option<Vec<String>>) -> rquickjs::Result<Array<'_>> {
    let results = answer(&ctx, delegation::wait_for_subagents(ids.as_deref()))?;
    list(&ctx, results, |ctx, result| {
        Ok(object!(ctx, { "id": result.id, "summary": result.summary }, maybe { "status": result.status }))
    })
}

fn send_message(ctx: Ctx<'_>, agent_id: String, message: String) -> rquickjs::Result<()> {
    answer(&ctx, delegation::send_message(&agent_id, &message))
}

fn transition_state(ctx: Ctx<'_>, state: String, note: Option<String>) -> rquickjs::Result<()> {
    answer(&ctx, delegation::transition_state(&state, note.as_deref()))
}

fn exec(ctx: Ctx<'_>, agent: String, prompt: Option<String>) -> rquickjs::Result<()> {
    answer(&ctx, delegation::exec(&agent, prompt.as_deref()))
}

fn fork(ctx: Ctx<'_>, prompt: String) -> rquickjs::Result<String> {
    answer(&ctx, delegation::fork(&prompt))
}
