#!/usr/bin/env bash
# Writes the catalogue, reflected from what rustdoc says of the SDK.
#
#   signatures.sh RUST_TOOLS LIBRARIES CATALOGUE.json
#
# rustdoc's JSON is unstable, and this arm is documented by the stable compiler that
# builds its libraries: hence RUSTC_BOOTSTRAP. The form's version is pinned by
# tools/Cargo.toml, and another one fails by name.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
[ $# -eq 3 ] || die "usage: signatures.sh RUST_TOOLS LIBRARIES CATALOGUE.json"
find_compiler
[ -f "$COPY/src/bindings.rs" ] || die "$COPY has no bindings: build.sh makes them"

library() { find "$2" -name "lib$1-*.rlib"; }
OUT=$(mktemp -d)
trap 'rm -rf "$OUT"' EXIT
RUSTC_BOOTSTRAP=1 "$RUSTDOC" --crate-name gg --edition 2024 --target "$TARGET" "$COPY/src/lib.rs" \
  --extern "wit_bindgen=$(library wit_bindgen "$2")" --extern "gg_instances=$(library gg_instances "$2")" \
  -L "dependency=$2" -Zunstable-options --output-format json --out-dir "$OUT" ||
  die "rustdoc failed: its message stands above"
"$1" catalogue "$OUT/gg.json" "$3"
