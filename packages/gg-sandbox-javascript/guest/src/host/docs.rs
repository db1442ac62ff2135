//! `gg/docs`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object};

use super::{answer, list, object, optional};
use crate::bindings::gg::sandbox::docs::{self, DocQuery, EntryKind};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("search", Func::from(search))?;
    interface.set("close", Func::from(close))?;
    interface.set("closeAll", Func::from(close_all))
}

fn search<'js>(ctx: Ctx<'js>, query: Object<'js>) -> rquickjs::Result<Object<'js>> {
    let kind: Option<String> = optional(&query, "kind")?;
    let query = DocQuery {
        query: query.get("query")?,
        module: optional(&query, "module")?,
        type_: optional(&query, "type")?,
        kind: kind.map(|name| kind_of(&ctx, &name)).transpose()?,
        offset: optional(&query, "offset")?,
        limit: optional(&query, "limit")?,
    };
    let page = answer(&ctx, docs::search(&query))?;
    let hits = list(&ctx, page.hits, |ctx, hit| {
        let kind = match hit.kind {
            EntryKind::Operation => "operation",
            EntryKind::Type => "type",
            EntryKind::Module => "module",
            EntryKind::Alias => "alias",
        };
        Ok(object!(ctx, {
            "key": hit.key,
            "kind": kind,
            "module": hit.module,
            "name": hit.name,
            "summary": hit.summary,
        }))
    })?;
    Ok(object!(ctx, { "total": page.total, "offset": page.offset, "hits": hits }))
}

fn close(ctx: Ctx<'_>, key: String) -> rquickjs::Result<u32> {
    answer(&ctx, docs::close(&key))
}

fn close_all(ctx: Ctx<'_>) -> rquickjs::Result<u32> {
    answer(&ctx, docs::close_all())
}

fn kind_of(ctx: &Ctx<'_>, name: &str) -> rquickjs::Result<EntryKind> {
    Ok(match name {
        "operation" => EntryKind::Operation,
        "type" => EntryKind::Type,
        "module" => EntryKind::Module,
        "alias" => EntryKind::Alias,
        other => return Err(Exception::throw_type(ctx, &format!("no kind of entry is named {other}"))),
    })
}
