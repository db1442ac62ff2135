#!/usr/bin/env bash
# Builds the Rust arm's artifacts from registry packages.
#
#   build.sh OUTDIR
#
# OUTDIR gets catalogue.json, libraries/ (what a program is compiled against),
# adapter.wasm (what its module is encoded with) and toolchain.json (what its rustc is
# told). There is no guest: a program is compiled into a component of its own.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

[ $# -eq 1 ] || die "usage: build.sh OUTDIR"
mkdir -p "$1"
OUT=$(cd "$1" && pwd)
command -v cc >/dev/null || die "the command cc is missing: the libraries' build scripts are linked by it (Debian package: gcc)"
find_compiler
mkdir -p "$KEPT"
say "building with $("$RUSTC" -V | cut -d' ' -f1,2)"
build_tools
lay_out
"$HERE/bindings.sh" "$RUST_TOOLS"

# The compiler's own settings are the manifest's; the environment adds none.
sdk_cargo() {
  (
    cd "$COPY"
    unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_RUSTFLAGS RUSTC_BOOTSTRAP
    GG_KEPT=$KEPT GG_SDK=$COPY GG_REGISTRY="${CARGO_HOME:-$HOME/.cargo}/registry/src" \
      CARGO_TARGET_DIR="$KEPT/target" RUSTC=$RUSTC RUSTC_WRAPPER="$HERE/remapped.sh" CARGO_INCREMENTAL=0 \
      "$CARGO" "$@"
  )
}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
"$RUSTC" -vV >"$WORK/compiler"
sdk_cargo metadata --locked --format-version 1 --filter-platform "$TARGET" >"$WORK/metadata.json"
"$RUST_TOOLS" check "$WORK/metadata.json"

say "compiling the SDK and the library set"
sdk_cargo build --quiet --release --locked --target "$TARGET" --message-format json-render-diagnostics >"$WORK/messages.json" ||
  die "compiling the library set failed: the compiler's message stands above"
rm -rf "$OUT/libraries"
"$RUST_TOOLS" libraries --metadata "$WORK/metadata.json" --messages "$WORK/messages.json" --compiler "$WORK/compiler" \
  --sysroot "$("$RUSTC" --print target-libdir --target "$TARGET")" --output "$OUT"
"$GG_TOOLS" adapter "$OUT/adapter.wasm" >&2

say "reflecting the SDK"
"$HERE/signatures.sh" "$RUST_TOOLS" "$OUT/libraries" "$OUT/catalogue.json"
say "done: $OUT ($(du -sh "$OUT" | cut -f1))"
