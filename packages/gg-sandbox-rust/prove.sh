#!/usr/bin/env bash
# Proves the arm's artifacts: compiles the programs of proof/ as a turn does, makes
# components of them, holds what those import against packages/wit, and runs them.
#
#   prove.sh OUTDIR [--measure]      (OUTDIR is what build.sh filled)
#
# What a program gives stands beside it; GG_BLESS=1 writes that anew.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

if [ $# -lt 1 ] || [ ! -f "$1/toolchain.json" ]; then die "usage: prove.sh OUTDIR [--measure] (OUTDIR is what build.sh filled)"; fi
ARTIFACTS=$(cd "$1" && pwd)
command -v node >/dev/null || die "the command node is missing (Debian package: nodejs)"
find_compiler
build_tools
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
mapfile -t PROGRAM < <("$RUST_TOOLS" arguments "$ARTIFACTS")
mapfile -t MODULE < <("$RUST_TOOLS" arguments "$ARTIFACTS" --module csv_tools)

# rustc FOLDER ARGUMENT...: in a folder of the compile's own and with nothing of this environment, as the worker has it.
compile() { (cd "$1" && env -i RUSTUP_TOOLCHAIN="$PINNED" PATH="$PATH" HOME="$WORK" TMPDIR="$WORK" "$RUSTC" "${@:2}"); }
# In seconds of wall time, then of CPU time as user and as system.
TIMEFORMAT='%R %U %S'

mkdir "$WORK/module"
cp "$HERE/proof/module.rs" "$WORK/module/csv_tools.rs"
compile "$WORK/module" "${MODULE[@]}" -o "$WORK/libcsv_tools.rlib" csv_tools.rs || die "the code module does not compile"
# Importing a function or two of the world is no fault; one that it lacks is.
ALLOWED=$(sed -n 's/^interface \(.*\) {$/import gg:sandbox\/\1@0.1.0/p' "$REPO/packages/wit/gg.wit")

failed=0
for source in "$HERE"/proof/programs/*.rs; do
  name=$(basename "$source" .rs)
  mkdir "$WORK/$name"
  cp "$source" "$WORK/$name/program.rs"
  extra=()
  if [ "$name" = with_module ]; then extra=("--extern=csv_tools=$WORK/libcsv_tools.rlib"); fi
  compile "$WORK/$name" "${PROGRAM[@]}" "${extra[@]}" -o out.wasm program.rs || die "$name does not compile"
  "$GG_TOOLS" encode "$WORK/$name/out.wasm" "$WORK/$name/component.wasm" >/dev/null || die "$name is no component"
  foreign=$("$GG_TOOLS" interface "$WORK/$name/component.wasm" | grep -vxF "$ALLOWED" | grep -v '^import wasi:' | grep -vx 'export run') || true
  [ -z "$foreign" ] || die "$name asks for what the world has not: $foreign"
  node --no-warnings "$HERE/proof/run.mjs" "$WORK/$name/out.wasm" >"$WORK/$name/given" || die "$name does not run"
  expected="$HERE/proof/programs/$name.expected"
  if [ -n "${GG_BLESS:-}" ]; then cp "$WORK/$name/given" "$expected"; fi
  if ! diff -u "$expected" "$WORK/$name/given" >&2; then
    say "$name gives something else than $expected says"
    failed=1
  fi
done
[ "$failed" = 0 ] || die "the proof failed: what differs stands above"
say "proved by $(find "$HERE/proof/programs" -name '*.rs' | wc -l) programs"

if [ "${2:-}" = --measure ]; then
  for name in hello lines; do
    for _ in $(seq 9); do
      { time compile "$WORK/$name" "${PROGRAM[@]}" -o out.wasm program.rs; } 2>&1
    done | awk -v name="$name" -v module="$(stat -c %s "$WORK/$name/out.wasm")" \
      -v component="$(stat -c %s "$WORK/$name/component.wasm")" '
      { wall = $1 * 1000; cpu = ($2 + $3) * 1000
        if (NR == 1 || wall < least) least = wall
        if (NR == 1 || cpu < work) work = cpu }
      END { printf "%s: rustc %d ms (%d ms of CPU), module %d bytes, component %d bytes\n", name, least, work, module, component }'
  done
fi
