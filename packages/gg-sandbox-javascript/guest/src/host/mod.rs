//! The SDK's way to the host, one file an interface.
//!
//! The SDK (`../../../sdk`) has checked what it passes here: an argument of a wrong
//! type is its TypeError, not ours. These functions marshal and nothing else. What
//! they are given and give back has JavaScript's names and shapes already.

mod board;
mod context;
mod delegation;
mod docs;
mod files;
mod memories;
mod programs;
mod session;
mod shell;
mod skills;
mod tasks;
mod views;

use rquickjs::module::{Declarations, Exports, ModuleDef};
use rquickjs::{Array, Ctx, FromJs, IntoJs, Module, Object, Value};

use crate::bindings::gg::sandbox::core::{ApiError, ErrorCode, TextEdit, Usage};
use crate::engine;

type Bind = for<'js> fn(&Object<'js>) -> rquickjs::Result<()>;

const INTERFACES: &[(&str, Bind)] = &[
    ("board", board::bind),
    ("context", context::bind),
    ("delegation", delegation::bind),
    ("docs", docs::bind),
    ("files", files::bind),
    ("memories", memories::bind),
    ("programs", programs::bind),
    ("session", session::bind),
    ("shell", shell::bind),
    ("skills", skills::bind),
    ("tasks", tasks::bind),
    ("views", views::bind),
];

/// The module `gg/internal/host`, for the SDK: an object an interface.
struct Host;

impl ModuleDef for Host {
    fn declare(declarations: &Declarations) -> rquickjs::Result<()> {
        for (name, _) in INTERFACES {
            declarations.declare(*name)?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> rquickjs::Result<()> {
        for (name, bind) in INTERFACES {
            let interface = Object::new(ctx.clone())?;
            bind(&interface)?;
            exports.export(*name, interface)?;
        }
        Ok(())
    }
}

pub fn expose(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    Module::declare_def::<Host, _>(ctx.clone(), "gg/internal/host")?;
    Ok(())
}

/// Makes an object from `name: value` pairs. After `maybe` stand those that are left
/// out where the value is none.
macro_rules! object {
    ($ctx:expr, { $($key:literal: $value:expr),* $(,)? } $(, maybe { $($option:literal: $some:expr),* $(,)? })?) => {{
        let object = rquickjs::Object::new($ctx.clone())?;
        $(object.set($key, $value)?;)*
        $($(if let Some(some) = $some { object.set($option, some)?; })*)?
        object
    }};
}
use object;

/// A call's result, or its error thrown as the SDK's ApiError.
fn answer<'js, T>(ctx: &Ctx<'js>, result: Result<T, ApiError>) -> rquickjs::Result<T> {
    result.map_err(|error| {
        let made = engine::api_error(ctx)
            .and_then(|class| class.construct::<_, Value>((error.operation, code_name(error.code), error.message)));
        match made {
            Ok(value) => ctx.throw(value),
            Err(error) => error,
        }
    })
}

/// A list of objects, each made of one item.
fn list<'js, T>(
    ctx: &Ctx<'js>,
    items: Vec<T>,
    make: impl Fn(&Ctx<'js>, T) -> rquickjs::Result<Object<'js>>,
) -> rquickjs::Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    for (index, item) in items.into_iter().enumerate() {
        array.set(index, make(ctx, item)?)?;
    }
    Ok(array)
}

/// A field that may be left out.
fn optional<'js, T: FromJs<'js>>(object: &Object<'js>, key: &str) -> rquickjs::Result<Option<T>> {
    object.get::<_, Option<T>>(key)
}

/// A list that is empty where it is left out.
fn texts(object: &Object<'_>, key: &str) -> rquickjs::Result<Vec<String>> {
    Ok(optional(object, key)?.unwrap_or_default())
}

/// Left out: keep; null: clear; a string: set.
fn text_edit(object: &Object<'_>, key: &str) -> rquickjs::Result<TextEdit> {
    let value: Value = object.get(key)?;
    Ok(if value.is_undefined() {
        TextEdit::Keep
    } else if value.is_null() {
        TextEdit::Clear
    } else {
        TextEdit::Set(value.get()?)
    })
}

fn usage<'js>(ctx: &Ctx<'js>, usage: Usage) -> rquickjs::Result<Object<'js>> {
    Ok(object!(ctx, { "count": usage.count }, maybe { "max": usage.max }))
}

/// A u64 as JavaScript's number: exact up to 2^53.
fn number(value: u64) -> impl for<'js> IntoJs<'js> {
    value as f64
}

fn code_name(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidArgument => "invalid-argument",
        ErrorCode::NotFound => "not-found",
        ErrorCode::Conflict => "conflict",
        ErrorCode::Refused => "refused",
        ErrorCode::Unavailable => "unavailable",
        ErrorCode::LimitExceeded => "limit-exceeded",
        ErrorCode::IoError => "io-error",
        ErrorCode::Other => "other",
    }
}
