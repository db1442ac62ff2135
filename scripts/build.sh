#!/usr/bin/env bash
# Builds the binaries, and the artifacts that the arms need on disk.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

"$GG_REPO/scripts/bootstrap.sh" build
gg_use_rust || die "no Rust $GG_RUST_NEEDED or later; run scripts/bootstrap.sh"
gg_own_target
cd "$GG_REPO"

step "building the binaries into $CARGO_TARGET_DIR/debug"
cargo build --locked --workspace --bins >&2
step "building the arms' artifacts into $GG_ROOT/artifacts"
"$CARGO_TARGET_DIR/debug/worker" artifacts build >&2
