//! The bound on a program's linear memory.

use wasmtime::ResourceLimiter;

/// The tables of a guest hold its functions; a program can grow them only with memory of the executor's.
const MAX_TABLE_ELEMENTS: usize = 1_000_000;

/// Refuses memory past a bound, and remembers that it did: a trap after that is the memory's doing.
#[derive(Debug)]
pub struct MemoryLimiter {
    bound: usize,
    held: usize,
    peak: usize,
    refused: bool,
}

impl MemoryLimiter {
    /// A limiter over all linear memories of a store together.
    pub fn new(bound: u64) -> MemoryLimiter {
        MemoryLimiter { bound: usize::try_from(bound).unwrap_or(usize::MAX), held: 0, peak: 0, refused: false }
    }

    /// Whether memory was refused.
    pub fn refused(&self) -> bool {
        self.refused
    }

    /// The most that was held, in bytes.
    pub fn peak(&self) -> usize {
        self.peak
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.held - current.min(self.held) + desired;
        if total > self.bound || maximum.is_some_and(|maximum| desired > maximum) {
            self.refused = true;
            return Ok(false);
        }
        self.held = total;
        self.peak = self.peak.max(total);
        Ok(true)
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        // The kernel refused (RLIMIT_DATA): the same to the program.
        self.refused = true;
        Ok(())
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= MAX_TABLE_ELEMENTS && maximum.is_none_or(|maximum| desired <= maximum))
    }
}
