//! The one place where time and chance enter, so that tests own them.

use std::hash::{BuildHasher, Hasher};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Where time comes from.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970, UTC. It may step back.
    fn unix_ms(&self) -> u64;

    /// Milliseconds since some moment. It never steps back.
    fn monotonic_ms(&self) -> u64;
}

/// The system's clocks.
#[derive(Debug)]
pub struct SystemClock {
    origin: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        SystemClock { origin: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn unix_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn monotonic_ms(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Bits that no other process is likely to draw.
pub fn chance() -> u64 {
    // Each hasher is keyed with the system's randomness.
    std::hash::RandomState::new().build_hasher().finish()
}
