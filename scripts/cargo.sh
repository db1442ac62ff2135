#!/usr/bin/env bash
# cargo, with the Rust and the target folder that the other scripts use:
#
#   cargo.sh clippy -p gg-worker
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
gg_use_rust || die "no Rust $GG_RUST_NEEDED or later; run scripts/bootstrap.sh"
gg_own_target
exec cargo "$@"
