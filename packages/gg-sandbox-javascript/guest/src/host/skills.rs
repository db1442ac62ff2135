//! `gg/skills`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Object};

use super::answer;
use crate::bindings::gg::sandbox::skills;

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("readSkill", Func::from(read_skill))
}

fn read_skill(ctx: Ctx<'_>, name: String) -> rquickjs::Result<String> {
    answer(&ctx, skills::read_skill(&name))
}
