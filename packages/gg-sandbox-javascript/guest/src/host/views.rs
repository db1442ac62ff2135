//! `gg/views`.

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object};

use super::files::file_contents;
use super::{answer, list, object};
use crate::bindings::gg::sandbox::views::{self, ViewKind};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("openFile", Func::from(open_file))?;
    interface.set("openText", Func::from(open_text))?;
    interface.set("openDocsView", Func::from(open_docs_view))?;
    interface.set("close", Func::from(close))?;
    interface.set("current", Func::from(current))
}

fn open_file(ctx: Ctx<'_>, path: String, offset: Option<u32>, limit: Option<u32>) -> rquickjs::Result<Object<'_>> {
    let contents = answer(&ctx, views::open_file(&path, offset, limit))?;
    file_contents(&ctx, contents)
}

fn open_text(ctx: Ctx<'_>, label: String, body: String) -> rquickjs::Result<()> {
    answer(&ctx, views::open_text(&label, &body))
}

fn open_docs_view(ctx: Ctx<'_>, name: String) -> rquickjs::Result<()> {
    answer(&ctx, views::open_docs_view(&name))
}

fn close(ctx: Ctx<'_>, selector: String) -> rquickjs::Result<u32> {
    answer(&ctx, views::close(&selector))
}

fn current(ctx: Ctx<'_>) -> rquickjs::Result<Array<'_>> {
    let entries = answer(&ctx, views::current())?;
    list(&ctx, entries, |ctx, entry| {
        let kind = match entry.kind {
            ViewKind::File => "file",
            ViewKind::Text => "text",
            ViewKind::Docs => "docs",
            ViewKind::SearchResults => "search-results",
        };
        Ok(object!(ctx, {
            "kind": kind,
            "selector": entry.selector,
            "tokens": entry.tokens,
        }, maybe { "region": entry.region }))
    })
}
