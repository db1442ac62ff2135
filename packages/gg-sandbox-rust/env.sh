# shellcheck shell=bash
# Sourced by the scripts here: where things are, and which compiler is used.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$HERE/../.." && pwd)
ROOT="${GG_FARM_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/gg-farm}"
# What is compiled on the way is kept here: a second build takes seconds, and nothing is
# left among the sources, by whose times cargo builds the worker.
KEPT="$ROOT/target-guests/rust"
mkdir -p "$KEPT"
# Where it really lies: what is compiled there must not say so.
KEPT=$(cd "$KEPT" && pwd -P)
COPY="$KEPT/source/gg-sandbox-rust"
# shellcheck disable=SC2034 # of the scripts that source this
TARGET=wasm32-wasip1

say() { printf 'rust: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# The caller's own choice among its toolchains of rustup's, before this arm makes its own.
export GG_HOST_TOOLCHAIN="${GG_HOST_TOOLCHAIN-${RUSTUP_TOOLCHAIN:-}}"
# The version that the manifest pins.
PINNED=$(sed -n 's/^compiler = "\(.*\)"$/\1/p' "$HERE/Cargo.toml")

# find_compiler: RUSTC, CARGO and RUSTDOC of one toolchain: the one that the environment
# names, the image's, the user's, or what PATH gives at the pinned version.
find_compiler() {
  local tree rustc
  export RUSTUP_TOOLCHAIN=$PINNED
  for rustc in "${TCAB_GG_RUSTC:-}" "${GG_RUST_WASM:+$GG_RUST_WASM/bin/rustc}" \
    /opt/gg/toolchains/rust/bin/rustc "$ROOT/toolchains/rust/bin/rustc" "$(type -P rustc || true)"; do
    if [ -n "$rustc" ] && [ -x "$rustc" ]; then break; fi
    rustc=
  done
  [ -n "$rustc" ] || die "no rustc in \$TCAB_GG_RUSTC, \$GG_RUST_WASM, /opt/gg/toolchains/rust, $ROOT/toolchains/rust or PATH; install it: $REPO/containers/gg-toolchains/rust.sh"
  tree=$(dirname "$rustc")
  RUSTC=$rustc RUSTDOC="$tree/rustdoc" CARGO="$tree/cargo"
  local have
  have=$("$RUSTC" -V | cut -d' ' -f2) || die "$RUSTC does not start; install it again: $REPO/containers/gg-toolchains/rust.sh --force"
  [ "$have" = "$PINNED" ] || die "$RUSTC is version $have, and the library set must be built by $PINNED (Cargo.toml); install that: $REPO/containers/gg-toolchains/rust.sh"
  for tree in "$RUSTDOC" "$CARGO"; do
    [ -x "$tree" ] || die "$tree is missing beside $RUSTC; install it again: $REPO/containers/gg-toolchains/rust.sh --force"
  done
}

# host_cargo ARGUMENT...: the machine's own cargo, for what runs while the arm is built.
host_cargo() {
  command -v cargo >/dev/null || die "the command cargo is missing; run scripts/bootstrap.sh"
  env -u RUSTUP_TOOLCHAIN -u RUSTC -u RUSTFLAGS -u CARGO_BUILD_TARGET CARGO_TARGET_DIR="$ROOT/target-guests/$1" \
    ${GG_HOST_TOOLCHAIN:+RUSTUP_TOOLCHAIN="$GG_HOST_TOOLCHAIN"} cargo "${@:2}"
}

# build_tools: RUST_TOOLS of this package, and GG_TOOLS of packages/tools.
build_tools() {
  (cd "$HERE/tools" && host_cargo rust-tools build --quiet --locked)
  (cd "$REPO/packages/tools" && host_cargo tools build --quiet --locked)
  # shellcheck disable=SC2034
  RUST_TOOLS="$ROOT/target-guests/rust-tools/debug/gg-rust-tools" GG_TOOLS="$ROOT/target-guests/tools/debug/gg-tools"
}

# lay_out: the SDK's sources in the folder where they are built.
lay_out() {
  rm -rf "$COPY"
  mkdir -p "$COPY"
  cp -a "$HERE/Cargo.toml" "$HERE/Cargo.lock" "$HERE/src" "$HERE/instances" "$COPY/"
}
