#!/usr/bin/env bash
# Generates the SDK's bindings of packages/wit into the copy that is built (env.sh). A
# file that stays the same keeps its time, so that nothing is compiled again.
#
#   bindings.sh RUST_TOOLS
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
[ $# -eq 1 ] || die "usage: bindings.sh RUST_TOOLS"

"$1" bindings "$REPO/packages/wit" "$KEPT/bindings.rs.new"
if ! cmp -s "$KEPT/bindings.rs.new" "$KEPT/bindings.rs"; then mv "$KEPT/bindings.rs.new" "$KEPT/bindings.rs"; fi
rm -f "$KEPT/bindings.rs.new"
cp -a "$KEPT/bindings.rs" "$COPY/src/bindings.rs"
