#!/bin/sh
# Builds the Python arm: guest.wasm, catalogue.json and stdlib.json into the folder given.
#
#   ./build.sh OUTDIR
#
# PYTHON names the interpreter that runs the tools (3.10 or later); what is installed lies
# under GG_FARM_HOME. The interpreter in the guest comes with componentize-py.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
say() { echo "gg-sandbox-python: $*" >&2; }
fail() { say "$*"; exit 1; }

[ $# -eq 1 ] || fail "usage: build.sh OUTDIR"
mkdir -p "$1"
out=$(CDPATH='' cd -- "$1" && pwd)
root=${GG_FARM_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/gg-farm}
venv=$root/venvs/gg-sandbox-python
wit=$here/../wit

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 ||
    fail "$python is missing; on Debian and Ubuntu: apt-get install python3 python3-venv"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    fail "$python is $("$python" -V 2>&1); the tools need 3.10 or later: name one by PYTHON"

# The environment is made for one interpreter and one list of tools.
wanted=$(cat "$here/requirements.txt"; "$python" -c 'import sys; print(sys.executable, sys.version)')
if [ "$(cat "$venv/made-for" 2>/dev/null)" != "$wanted" ]; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$python has no ensurepip; on Debian and Ubuntu: apt-get install python3-venv"
    say "installing the tools of requirements.txt into $venv"
    rm -rf "$venv"
    mkdir -p "$root/venvs"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
        --requirement "$here/requirements.txt"
    printf '%s\n' "$wanted" >"$venv/made-for"
fi

# Nothing is built again while its sources stay as they are.
key=$(
    {
        printf '%s\n' "$wanted"
        cd "$here"
        find build.sh gg guest reflect -type f ! -path '*/__pycache__/*' | LC_ALL=C sort | while read -r file; do
            sha256sum "$file"
        done
        cat "$wit"/*.wit | sha256sum
    } | sha256sum | cut -d' ' -f1
)
if [ "$(cat "$out/built-from" 2>/dev/null)" = "$key" ] &&
    [ -s "$out/guest.wasm" ] && [ -s "$out/catalogue.json" ] && [ -s "$out/stdlib.json" ]; then
    say "$out is current"
    exit 0
fi
rm -f "$out/built-from"

say "reflecting the SDK into catalogue.json"
"$venv/bin/python" "$here/reflect/catalogue.py" "$here/gg" >"$out/catalogue.json.new"
mv "$out/catalogue.json.new" "$out/catalogue.json"

say "building guest.wasm (a quarter of a minute to a minute)"
stage=$(mktemp -d "${TMPDIR:-/tmp}/gg-sandbox-python.XXXXXX")
trap 'rm -rf "$stage"' EXIT INT TERM
mkdir "$stage/app"
cp -R "$here/gg" "$here/guest/." "$venv"/lib/python*/site-packages/tzdata "$stage/app"
find "$stage/app" -name __pycache__ -prune -exec rm -rf {} +
# The guest must see none of this machine's environment or packages.
(
    cd "$stage"
    env -i PATH="$venv/bin:/usr/bin:/bin" HOME="$stage" LANG=C.UTF-8 \
        "$venv/bin/componentize-py" --quiet --wit-path "$wit" --world guest \
        componentize _gg_app --python-path "$stage/app" --output "$stage/guest.wasm"
) || fail "componentize-py failed: its message stands above"
[ -s "$stage/app/stdlib.json" ] || fail "the guest wrote no stdlib.json while it was built"
mv "$stage/app/stdlib.json" "$out/stdlib.json"
mv "$stage/guest.wasm" "$out/guest.wasm"
printf '%s\n' "$key" >"$out/built-from"
say "guest.wasm $(wc -c <"$out/guest.wasm") bytes, catalogue.json and stdlib.json are in $out"
