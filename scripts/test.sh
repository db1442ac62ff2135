#!/usr/bin/env bash
# Passes the tests; arguments go to the test runner:
#
#   test.sh [-p gg-worker] [FILTER] [...]
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

"$GG_REPO/scripts/bootstrap.sh" test
gg_use_rust || die "no Rust $GG_RUST_NEEDED or later; run scripts/bootstrap.sh"
gg_own_target
cd "$GG_REPO"
if [ "${CI:-}" = true ]; then export NEXTEST_PROFILE="${NEXTEST_PROFILE:-ci}"; fi

step "building the tests"
cargo nextest run --locked --no-run >&2
step "building the arms' artifacts into $GG_ROOT/artifacts"
# Built with the tests, which start it.
"$CARGO_TARGET_DIR/debug/worker" artifacts build >&2
if [ $# -eq 0 ]; then
  step "running the examples in the documentation"
  cargo test --quiet --locked --workspace --doc >&2
  step "running the tests of what builds the Rust arm's artifacts"
  CARGO_TARGET_DIR="$GG_ROOT/target-guests/rust-tools" \
    cargo test --quiet --locked --manifest-path packages/gg-sandbox-rust/tools/Cargo.toml >&2
fi
step "running the tests"
cargo nextest run --locked "$@"
