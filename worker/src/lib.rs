//! gg-worker
