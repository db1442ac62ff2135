//! `gg/files`.

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object};

use super::{answer, list, number, object};
use crate::bindings::gg::sandbox::files::{self, EntryKind, FileContents};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("readFile", Func::from(read_file))?;
    interface.set("readTextFile", Func::from(read_text_file))?;
    interface.set("writeFile", Func::from(write_file))?;
    interface.set("editFile", Func::from(edit_file))?;
    interface.set("listDir", Func::from(list_dir))?;
    interface.set("search", Func::from(search))
}

fn read_file(ctx: Ctx<'_>, path: String, offset: Option<u32>, limit: Option<u32>) -> rquickjs::Result<Object<'_>> {
    let contents = answer(&ctx, files::read_file(&path, offset, limit))?;
    file_contents(&ctx, contents)
}

fn read_text_file(ctx: Ctx<'_>, path: String, offset: Option<u32>, limit: Option<u32>) -> rquickjs::Result<String> {
    answer(&ctx, files::read_text_file(&path, offset, limit))
}

fn write_file(ctx: Ctx<'_>, path: String, contents: String) -> rquickjs::Result<f64> {
    Ok(answer(&ctx, files::write_file(&path, &contents))? as f64)
}

fn edit_file(ctx: Ctx<'_>, path: String, old: String, new: String) -> rquickjs::Result<()> {
    answer(&ctx, files::edit_file(&path, &old, &new))
}

fn list_dir(ctx: Ctx<'_>, path: Option<String>) -> rquickjs::Result<Array<'_>> {
    let entries = answer(&ctx, files::list_dir(path.as_deref()))?;
    list(&ctx, entries, |ctx, entry| {
        let kind = match entry.kind {
            EntryKind::File => "file",
            EntryKind::Directory => "directory",
            EntryKind::Other => "other",
        };
        Ok(object!(ctx, { "name": entry.name, "kind": kind }))
    })
}

fn search(ctx: Ctx<'_>, query: String, path: Option<String>, limit: Option<u32>) -> rquickjs::Result<Array<'_>> {
    let matches = answer(&ctx, files::search(&query, path.as_deref(), limit))?;
    list(&ctx, matches, |ctx, found| Ok(object!(ctx, { "path": found.path, "line": found.line, "text": found.text })))
}

/// Also what `gg/views` gives for a file.
pub fn file_contents<'js>(ctx: &Ctx<'js>, contents: FileContents) -> rquickjs::Result<Object<'js>> {
    Ok(match contents {
        FileContents::Text(text) => object!(ctx, {
            "kind": "text",
            "contents": text.contents,
            "firstLine": text.first_line,
            "lastLine": text.last_line,
            "totalLines": text.total_lines,
            "byteTruncated": text.byte_truncated,
        }),
        FileContents::Image(image) => object!(ctx, {
            "kind": "image",
            "mediaType": image.media_type,
            "label": image.label,
            "bytes": number(image.bytes),
            "shown": image.shown,
        }, maybe { "notShownReason": image.not_shown_reason }),
    })
}
