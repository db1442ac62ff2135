//! `gg/context`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Object};

use super::{answer, list, number, object};
use crate::bindings::gg::sandbox::context::{self, Reclaimed, TurnRange};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("evictFileView", Func::from(evict_file_view))?;
    interface.set("archiveThread", Func::from(archive_thread))?;
    interface.set("searchArchive", Func::from(search_archive))?;
    interface.set("compact", Func::from(compact))
}

fn evict_file_view(ctx: Ctx<'_>, path: Option<String>) -> rquickjs::Result<Object<'_>> {
    reclaimed(&ctx, answer(&ctx, context::evict_file_view(path.as_deref()))?)
}

fn archive_thread<'js>(ctx: Ctx<'js>, ranges: Vec<Object<'js>>) -> rquickjs::Result<Object<'js>> {
    let ranges = ranges
        .iter()
        .map(|range| Ok(TurnRange { first: range.get("first")?, last: range.get("last")? }))
        .collect::<rquickjs::Result<Vec<_>>>()?;
    reclaimed(&ctx, answer(&ctx, context::archive_thread(&ranges))?)
}

fn search_archive(ctx: Ctx<'_>, query: String) -> rquickjs::Result<Object<'_>> {
    let page = answer(&ctx, context::search_archive(&query))?;
    let hits = list(&ctx, page.hits, |ctx, hit| {
        Ok(object!(ctx, { "seq": number(hit.seq), "role": hit.role, "text": hit.text }))
    })?;
    Ok(object!(ctx, { "archiveEmpty": page.archive_empty, "hits": hits }))
}

fn compact(ctx: Ctx<'_>, summary: String, files: Vec<String>) -> rquickjs::Result<()> {
    answer(&ctx, context::compact(&summary, &files))
}

fn reclaimed<'js>(ctx: &Ctx<'js>, reclaimed: Reclaimed) -> rquickjs::Result<Object<'js>> {
    Ok(object!(ctx, {
        "items": reclaimed.items,
        "reclaimedTokens": reclaimed.reclaimed_tokens,
        "paths": reclaimed.paths,
        "detail": reclaimed.detail,
    }))
}
