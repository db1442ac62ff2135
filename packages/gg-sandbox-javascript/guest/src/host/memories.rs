//! `gg/memories`.

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object};

use super::{answer, list, number, object, optional};
use crate::bindings::gg::sandbox::memories::{self, Memory, MemoryUsage};

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("writeMemory", Func::from(write_memory))?;
    interface.set("updateMemory", Func::from(update_memory))?;
    interface.set("createMemory", Func::from(create_memory))?;
    interface.set("readMemory", Func::from(read_memory))?;
    interface.set("editMemory", Func::from(edit_memory))?;
    interface.set("searchMemories", Func::from(search_memories))?;
    interface.set("deleteMemory", Func::from(delete_memory))
}

fn write_memory<'js>(ctx: Ctx<'js>, memory: Object<'js>) -> rquickjs::Result<Object<'js>> {
    usage(&ctx, answer(&ctx, memories::write_memory(&memory_of(&memory)?))?)
}

fn update_memory<'js>(ctx: Ctx<'js>, memory: Object<'js>) -> rquickjs::Result<Object<'js>> {
    usage(&ctx, answer(&ctx, memories::update_memory(&memory_of(&memory)?))?)
}

fn create_memory<'js>(ctx: Ctx<'js>, memory: Object<'js>) -> rquickjs::Result<Object<'js>> {
    usage(&ctx, answer(&ctx, memories::create_memory(&memory_of(&memory)?))?)
}

fn read_memory(ctx: Ctx<'_>, name: String) -> rquickjs::Result<String> {
    answer(&ctx, memories::read_memory(&name))
}

fn edit_memory(ctx: Ctx<'_>, name: String, search: String, replace: String) -> rquickjs::Result<Object<'_>> {
    usage(&ctx, answer(&ctx, memories::edit_memory(&name, &search, &replace))?)
}

fn search_memories(ctx: Ctx<'_>, keywords: Vec<String>) -> rquickjs::Result<Array<'_>> {
    let hits = answer(&ctx, memories::search_memories(&keywords))?;
    list(&ctx, hits, |ctx, hit| {
        Ok(object!(ctx, {
            "name": hit.name,
            "description": hit.description,
            "matched": hit.matched,
            "occurrences": hit.occurrences,
            "excerpt": hit.excerpt,
        }))
    })
}

fn delete_memory(ctx: Ctx<'_>, name: String) -> rquickjs::Result<Object<'_>> {
    usage(&ctx, answer(&ctx, memories::delete_memory(&name))?)
}

fn memory_of(memory: &Object<'_>) -> rquickjs::Result<Memory> {
    Ok(Memory {
        name: memory.get("name")?,
        description: memory.get("description")?,
        body: memory.get("body")?,
        code: optional(memory, "code")?,
        on_use: optional(memory, "onUse")?,
    })
}

fn usage<'js>(ctx: &Ctx<'js>, usage: MemoryUsage) -> rquickjs::Result<Object<'js>> {
    Ok(object!(ctx, { "count": usage.count, "chars": number(usage.chars) }, maybe {
        "max": usage.max,
        "maxChars": usage.max_chars.map(number),
        "indexChars": usage.index_chars.map(number),
        "maxIndexChars": usage.max_index_chars.map(number),
    }))
}
