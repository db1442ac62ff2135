//! A stack that a deeply nested source does not exhaust.

/// The stack of what parses a source, in bytes. Memory is taken as it is used, and few sources use any of it.
const STACK_BYTES: usize = 512 << 20;

/// Does something on a large stack.
pub(crate) fn on_a_large_one<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("source".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| format!("a thread with {} MiB of stack was not started: {error}", STACK_BYTES >> 20))?;
        thread.join().map_err(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
            format!("it panicked: {}", said.unwrap_or("it said nothing"))
        })
    })
}
