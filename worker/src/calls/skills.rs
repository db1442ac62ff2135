//! Texts that teach the agent something.

use super::near::{did_you_mean, near};
use super::{Turn, error, modules};
use crate::contract::{ApiError, ErrorCode};
use gg_common::job::{Effect, Follows};
use gg_common::operation::Operation;
use gg_common::state::ModuleOf;

/// `skills.read_skill`: the body, which stays in the window from then on. Every use has the skill's on-use script run after
/// the program; its code comes into scope for what runs after.
pub fn read_skill(turn: &mut Turn<'_>, name: String) -> Result<String, ApiError> {
    let Some(skill) = turn.profile.skills.iter().find(|skill| skill.name == name) else {
        let near = near(&name, turn.profile.skills.iter().map(|skill| skill.name.as_str()));
        let message = format!("there is no skill `{name}`{}", did_you_mean(&near));
        return Err(error(Operation::SkillsReadSkill, ErrorCode::NotFound, message));
    };
    let (body, script, code) = (skill.body.clone(), skill.on_use.clone(), skill.code.clone());
    if let Some(code) = code {
        modules::load(turn, Operation::SkillsReadSkill, ModuleOf::Skill { name: name.clone() }, &code)?;
    }
    if let Some(script) = script {
        turn.following.queue_script(Follows::Skill { name: name.clone() }, script);
    }
    let pinned = Effect::SkillPinned { name };
    if !turn.effects.contains(&pinned) {
        turn.state.apply(turn.number, &pinned);
        turn.effects.push(pinned);
    }
    Ok(body)
}
