#!/usr/bin/env bash
# Measures the worker against its baselines, as ratios in one run, then what a
# coordinator of many agents takes; arguments go to `worker bench` and to
# `coordinator bench`, or after the name of one of them to that one alone:
#
#   bench.sh [worker|coordinator] [--json] [--only NAME]
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

"$GG_REPO/scripts/build.sh"
gg_use_rust || die "no Rust $GG_RUST_NEEDED or later; run scripts/bootstrap.sh"
cd "$GG_REPO"
step "building the binaries into $CARGO_TARGET_DIR/release"
cargo build --locked --release --workspace --bins >&2
binaries=(worker coordinator)
case ${1:-} in
  worker | coordinator)
    binaries=("$1")
    shift
    ;;
esac
# All is measured, also where a bound of the first does not hold.
status=0
for binary in "${binaries[@]}"; do
  step "measuring: $binary bench"
  "$CARGO_TARGET_DIR/release/$binary" bench "$@" || status=$?
done
exit "$status"
