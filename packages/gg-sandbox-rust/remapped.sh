#!/bin/sh
# cargo's wrapper of rustc: the places of this machine become fixed names, so that the
# same sources give the same libraries anywhere. (As RUSTFLAGS they would be part of the
# libraries' file names.)
set -eu
for place in "$GG_REGISTRY"/*/; do
    set -- "$@" "--remap-path-prefix=${place%/}=/crates"
done
exec "$@" "--remap-path-prefix=$GG_KEPT=/build" "--remap-path-prefix=$GG_SDK=/gg"
