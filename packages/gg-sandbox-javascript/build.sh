#!/usr/bin/env bash
# Builds the JavaScript arm's artifacts from registry packages.
#
#   build.sh OUTDIR
#
# OUTDIR gets guest.wasm (a component of world `guest`), catalogue.json and sdk/ (the
# declarations). It builds in a copy of the sources in target-guests of the data
# directory, where what is compiled on the way is kept: a second build takes seconds,
# and nothing is left among the sources, by whose times cargo builds the worker.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$HERE/../.." && pwd)
ROOT="${GG_FARM_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/gg-farm}"

say() { printf 'javascript: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

[ $# -eq 1 ] || die "usage: build.sh OUTDIR"
mkdir -p "$1"
OUT=$(cd "$1" && pwd)

# A toolchain is the one that the environment names, the image's, or the user's.
toolchain() {
  local name=$1 variable=$2 proof=$3 tree
  for tree in "${!variable:-}" "/opt/gg/toolchains/$name" "$ROOT/toolchains/$name"; do
    if [ -n "$tree" ] && [ -x "$tree/$proof" ]; then echo "$tree"; return; fi
  done
  die "no $name toolchain in \$$variable, /opt/gg/toolchains/$name or $ROOT/toolchains/$name; install it: $REPO/containers/gg-toolchains/$name.sh"
}
RUST=$(toolchain rust GG_RUST_WASM bin/rustc)
WASI=$(toolchain wasi GG_WASI_SDK bin/clang)
for tool in cargo cc patch node npm; do
  command -v "$tool" >/dev/null || die "the command $tool is missing (Debian packages: build-essential, cargo, nodejs, npm)"
done

# What a file was called before, and no longer is, must not stay in the copy.
TARGET="$ROOT/target-guests/javascript"
COPY="$TARGET/source/packages"
copy() {
  rm -rf "${COPY:?}/$1"
  mkdir -p "$(dirname "$COPY/$1")"
  cp -a "$REPO/packages/$1" "$COPY/$1"
}
THIS=$(basename "$HERE")
copy wit
for part in sdk guest/{Cargo.toml,Cargo.lock,src,engine/source,engine/quickjs.patch} \
  reflect/{.npmrc,package.json,package-lock.json,src}; do
  copy "$THIS/$part"
done

# The engine's source: fetched and verified by cargo, then changed by our patch.
ENGINE="$COPY/$THIS/guest/engine"
STAMP=$(cat "$ENGINE/quickjs.patch" "$ENGINE/source/Cargo.lock" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$ENGINE/target/rquickjs-sys/.gg-stamp" 2>/dev/null)" != "$STAMP" ]; then
  say "laying out the engine's source"
  VENDOR=$(mktemp -d)
  trap 'rm -rf "$VENDOR"' EXIT
  cargo vendor --quiet --locked --manifest-path "$ENGINE/source/Cargo.toml" "$VENDOR/crates" >/dev/null
  rm -rf "$ENGINE/target/rquickjs-sys"
  mkdir -p "$ENGINE/target"
  cp -r "$VENDOR/crates/rquickjs-sys" "$ENGINE/target/rquickjs-sys"
  rm -f "$ENGINE/target/rquickjs-sys/.cargo-checksum.json"
  patch --quiet --strip=1 --directory="$ENGINE/target/rquickjs-sys" <"$ENGINE/quickjs.patch"
  echo "$STAMP" >"$ENGINE/target/rquickjs-sys/.gg-stamp"
fi

# --stack-first: running out of C's stack traps instead of writing over data. The size
# leaves room above the engine's own limit (guest/src/engine.rs, STACK_BYTES).
say "compiling the guest with $("$RUST/bin/rustc" --version | cut -d' ' -f1,2)"
(
  cd "$COPY/$THIS/guest"
  unset RUSTUP_TOOLCHAIN RUSTFLAGS CARGO_BUILD_TARGET CARGO_ENCODED_RUSTFLAGS
  # rquickjs asks for a newer rustc than it needs.
  CARGO_TARGET_DIR="$TARGET" RUSTC="$RUST/bin/rustc" WASI_SDK="$WASI" \
    CARGO_TARGET_WASM32_WASIP1_LINKER="$RUST/bin/wasm-ld" \
    CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Clink-arg=-zstack-size=4194304 -Clink-arg=--stack-first" \
    "$RUST/bin/cargo" build --quiet --release --locked --target wasm32-wasip1 --ignore-rust-version
)

say "making the component"
TOOLS="$REPO/packages/tools"
(cd "$TOOLS" && CARGO_TARGET_DIR="$ROOT/target-guests/tools" cargo build --quiet --locked)
GG_TOOLS="$ROOT/target-guests/tools/debug/gg-tools"
"$GG_TOOLS" snapshot "$TARGET/wasm32-wasip1/release/gg_guest_javascript.wasm" "$TARGET/initialised.wasm" >&2
"$GG_TOOLS" encode "$TARGET/initialised.wasm" "$OUT/guest.wasm" >&2

say "reflecting the SDK"
REFLECT="$COPY/$THIS/reflect"
LOCKED=$(sha256sum <"$REFLECT/package-lock.json")
if [ "$(cat "$REFLECT/node_modules/.gg-stamp" 2>/dev/null)" != "$LOCKED" ]; then
  (cd "$REFLECT" && npm ci --silent && echo "$LOCKED" >node_modules/.gg-stamp)
fi
node "$REFLECT/src/main.js" "$HERE/sdk" "$OUT/catalogue.json" >&2

rm -rf "$OUT/sdk"
mkdir "$OUT/sdk"
cp "$HERE"/sdk/*.d.ts "$OUT/sdk/"
say "done: $OUT"
