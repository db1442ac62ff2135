# shellcheck shell=bash
# Sourced by the scripts here: where things are kept, and which Rust is used.
#
# One root holds everything that is installed or built outside the sources:
# GG_FARM_HOME, or gg-farm in XDG_DATA_HOME, or ~/.local/share/gg-farm. The
# binaries find it by the same rule (common/src/folders.rs).

set -euo pipefail

GG_REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What a script says goes to standard error: standard output is the results'.
say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "error: $*"; exit 1; }

# step WHAT: a heading, with the seconds since the script began.
step() { printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)) >&2; }

gg_root() {
  if [ -n "${GG_FARM_HOME:-}" ]; then
    echo "$GG_FARM_HOME"
  elif [[ "${XDG_DATA_HOME:-}" = /* ]]; then
    echo "$XDG_DATA_HOME/gg-farm"
  elif [ -n "${HOME:-}" ]; then
    echo "$HOME/.local/share/gg-farm"
  else
    die "neither HOME nor GG_FARM_HOME is set: set GG_FARM_HOME to a folder that you can write"
  fi
}

GG_ROOT=$(gg_root)
export GG_FARM_HOME=$GG_ROOT
GG_TOOLS="$GG_ROOT/tools"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$GG_ROOT/target}"
export PATH="$GG_TOOLS/bin:$PATH"

# The oldest Rust that builds the workspace, as its manifest states it.
GG_RUST_NEEDED=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$GG_REPO/Cargo.toml")

# gg_at_least HAVE WANTED: whether a version is at least another.
gg_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# gg_rust_version: the version of what `cargo` and `rustc` are now; nothing if one is missing.
gg_rust_version() {
  cargo --version >/dev/null 2>&1 || return 0
  rustc --version 2>/dev/null | cut -d' ' -f2
}

gg_rust_is_new_enough() {
  local have
  have=$(gg_rust_version)
  [ -n "$have" ] && gg_at_least "${have%%-*}" "$GG_RUST_NEEDED"
}

# gg_use_rust: makes `cargo` one that is new enough, from what this machine has:
# what PATH gives, the user's own, the distribution's, or a toolchain of rustup's.
gg_use_rust() {
  local path=$PATH folder toolchain
  for folder in "" "${CARGO_HOME:-${HOME:-}/.cargo}/bin:" /usr/bin:; do
    PATH="$folder$path"
    if gg_rust_is_new_enough; then return 0; fi
  done
  PATH="$path:${CARGO_HOME:-${HOME:-}/.cargo}/bin"
  if command -v rustup >/dev/null; then
    while read -r toolchain _; do
      if RUSTUP_TOOLCHAIN=$toolchain gg_rust_is_new_enough; then
        export RUSTUP_TOOLCHAIN=$toolchain
        return 0
      fi
    done < <(rustup toolchain list 2>/dev/null)
  fi
  PATH=$path
  return 1
}

# gg_own_target: makes what the target folder holds of the workspace's crates this
# clone's own. Clones share the folder, so that none compiles the engine again, but
# cargo tells their crates apart by the times of files alone: without this a clone
# could run what another one built.
gg_own_target() {
  local mark="$CARGO_TARGET_DIR/.clone" profile
  if [ "$(cat "$mark" 2>/dev/null)" = "$GG_REPO" ]; then return 0; fi
  for profile in debug:dev release:release; do
    if [ -d "$CARGO_TARGET_DIR/${profile%%:*}" ]; then
      (cd "$GG_REPO" && cargo clean --quiet --profile "${profile##*:}" \
        -p gg-common -p gg-source -p gg-worker -p gg-coordinator -p gg-tests)
    fi
  done
  mkdir -p "$CARGO_TARGET_DIR"
  printf '%s\n' "$GG_REPO" >"$mark"
}
