//! `gg/programs`.

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object};

use super::{answer, list, object};
use crate::bindings::gg::sandbox::programs;

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("history", Func::from(history))?;
    interface.set("get", Func::from(get))?;
    interface.set("rerun", Func::from(rerun))
}

fn history(ctx: Ctx<'_>) -> rquickjs::Result<Array<'_>> {
    let entries = answer(&ctx, programs::history())?;
    list(&ctx, entries, |ctx, entry| {
        Ok(object!(ctx, {
            "turn": entry.turn,
            "lines": entry.lines,
            "chars": entry.chars,
            "ok": entry.ok,
        }, maybe { "error": entry.error }))
    })
}

fn get(ctx: Ctx<'_>, turn: Option<u32>) -> rquickjs::Result<String> {
    answer(&ctx, programs::get(turn))
}

fn rerun(ctx: Ctx<'_>, source: String) -> rquickjs::Result<()> {
    answer(&ctx, programs::rerun(&source))
}
