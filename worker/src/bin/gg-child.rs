//! The helper that starts a confined job. Started by a worker, never by hand; see `gg_worker::confine`.

fn main() {
    std::process::exit(gg_worker::confine::helper::main())
}
