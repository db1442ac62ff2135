#!/usr/bin/env bash
# Measures the worker against its baselines, as ratios in one run; arguments go to
# `worker bench`:
#
#   bench.sh [--json] [--only NAME]
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

"$GG_REPO/scripts/build.sh"
gg_use_rust || die "no Rust $GG_RUST_NEEDED or later; run scripts/bootstrap.sh"
cd "$GG_REPO"
step "building the binaries into $CARGO_TARGET_DIR/release"
cargo build --locked --release --workspace --bins >&2
step "measuring"
"$CARGO_TARGET_DIR/release/worker" bench "$@"
