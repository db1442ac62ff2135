//! gg-coordinator
