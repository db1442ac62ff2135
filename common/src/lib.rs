//! gg-common
