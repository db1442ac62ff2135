#!/usr/bin/env bash
# Builds the TypeScript arm's artifacts: the guest of the JavaScript arm, and what a
# program is checked against.
#
#   build.sh OUTDIR
#
# OUTDIR gets guest.wasm, catalogue.json, declarations/ (what a program is checked
# against), globals.json (the names that it declares) and toolchain.json.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$HERE/../.." && pwd)
ROOT="${GG_FARM_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/gg-farm}"
JAVASCRIPT="$REPO/packages/gg-sandbox-javascript"

say() { printf 'typescript: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

[ $# -eq 1 ] || die "usage: build.sh OUTDIR"
mkdir -p "$1"
OUT=$(cd "$1" && pwd)

# The compiler is the one that the environment names, the image's, or the user's.
PINNED=$(sed -n 's/^ *"release": "\(.*\)",$/\1/p' "$HERE/toolchain.json")
for TSC in "${TCAB_GG_TSC:-}" /opt/gg/toolchains/typescript/bin/tsc "$ROOT/toolchains/typescript/bin/tsc" "$(type -P tsc || true)"; do
  if [ -n "$TSC" ] && [ -x "$TSC" ]; then break; fi
  TSC=
done
[ -n "$TSC" ] || die "no tsc in \$TCAB_GG_TSC, /opt/gg/toolchains/typescript, $ROOT/toolchains/typescript or PATH; install it: $REPO/containers/gg-toolchains/typescript.sh"
HAVE=$("$TSC" --version | cut -d' ' -f2) || die "$TSC does not start; install it again: $REPO/containers/gg-toolchains/typescript.sh --force"
[ "$HAVE" = "$PINNED" ] || die "$TSC is version $HAVE, and programs are checked by $PINNED (toolchain.json); install that: $REPO/containers/gg-toolchains/typescript.sh"
LIBRARY=$(dirname "$(readlink -f "$TSC")")
[ -f "$LIBRARY/lib.es5.d.ts" ] || die "$LIBRARY has no lib.es5.d.ts beside tsc; install it again: $REPO/containers/gg-toolchains/typescript.sh --force"

# The guest and the catalogue are the JavaScript arm's own.
SHARED=$(mktemp -d)
trap 'rm -rf "$SHARED"' EXIT
"$JAVASCRIPT/build.sh" "$SHARED"
cp "$SHARED/guest.wasm" "$OUT/guest.wasm"

# Beside the reflector, whose compiler reads the declarations.
say "declaring the guest's globals and the SDK"
REFLECT="$ROOT/target-guests/javascript/source/packages/gg-sandbox-javascript/reflect"
rm -rf "$REFLECT/declare"
cp -r "$HERE/declare/src" "$REFLECT/declare"
node "$REFLECT/declare/main.js" "$JAVASCRIPT/sdk" "$HERE/globals.d.ts" "$LIBRARY" "$SHARED/catalogue.json" "$OUT" >&2
cp "$HERE/toolchain.json" "$OUT/"

# What is declared must hold together by itself, as no program's check looks at it again.
say "checking the declarations by tsc $PINNED"
(
  cd "$OUT"
  mapfile -t ARGUMENTS < <(node -e 'const { common, program } = require("./toolchain.json").arguments; console.log([...common, ...program].join("\n"))')
  set -- declarations/*.d.ts
  "$TSC" "${ARGUMENTS[@]}" --skipLibCheck false "$@"
) >&2 || die "the declarations do not check: what tsc says stands above"
say "done: $OUT"
