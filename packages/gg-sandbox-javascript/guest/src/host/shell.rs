//! `gg/shell`.

use rquickjs::function::Func;
use rquickjs::{Ctx, Object, Value};

use super::{answer, object};
use crate::bindings::gg::sandbox::shell;

pub fn bind(interface: &Object<'_>) -> rquickjs::Result<()> {
    interface.set("shell", Func::from(run))
}

fn run(ctx: Ctx<'_>, command: String, timeout_secs: Option<u32>) -> rquickjs::Result<Object<'_>> {
    let output = answer(&ctx, shell::shell(&command, timeout_secs))?;
    let exit_code = match output.exit_code {
        Some(code) => Value::new_int(ctx.clone(), code),
        // A signal ended it: null, as a child process of Node.js has it.
        None => Value::new_null(ctx.clone()),
    };
    Ok(object!(ctx, {
        "exitCode": exit_code,
        "output": output.output,
        "truncated": output.truncated,
    }))
}
