//! `gg/session`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Object};

use super::answer;
use crate::bindings::gg::sandbox::session;

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("finish", Func::from(finish))?;
    interface.set("approve", Func::from(approve))?;
    interface.set("requestChanges", Func::from(request_changes))
}

fn finish(ctx: Ctx<'_>, summary: String) -> rquickjs::Result<()> {
    answer(&ctx, session::finish(&summary))
}

fn approve(ctx: Ctx<'_>, summary: String) -> rquickjs::Result<()> {
    answer(&ctx, session::approve(&summary))
}

fn request_changes(ctx: Ctx<'_>, items: Vec<String>) -> rquickjs::Result<()> {
    answer(&ctx, session::request_changes(&items))
}
