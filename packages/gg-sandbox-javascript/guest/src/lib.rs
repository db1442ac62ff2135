//! The JavaScript guest: QuickJS-ng as a component of world `guest`.
//!
//! A program runs as an ES module of the name that it is given with (`program.js`), its
//! bytes exactly as they were given. What it can import are the SDK's modules,
//! `gg/<module>`, and the code modules in scope, `lib/<key>`; the SDK's JavaScript lies in `../../sdk`, and what that calls is bound here, one file an interface
//! (`host/`). Globals which other hosts of JavaScript give and QuickJS lacks are in
//! `prelude/`.
//!
//! Everything that is the same for each program (the context, the prelude, the SDK)
//! is made once, by `wizer-initialize` when the guest is built, and stays in the
//! component's memory image. **Nothing random and no time may be taken then**: it
//! would be the same in every run.

mod allocator;
mod engine;
mod failure;
mod host;
mod modules;
mod natives;
mod run;

mod bindings {
    wit_bindgen::generate!({ world: "guest", path: "../../wit" });
    use super::Component;
    export!(Component with_types_in self);
}

struct Component;

impl bindings::Guest for Component {
    fn run(name: String, source: Vec<u8>, modules: Vec<(String, Vec<u8>)>) -> Result<(), ()> {
        modules::bring_into_scope(modules);
        run::program(&name, source)
    }
}

/// Called once, when the guest is built: what it leaves in memory is what every run
/// begins with.
#[unsafe(export_name = "wizer-initialize")]
extern "C" fn initialize() {
    engine::prepare();
}
