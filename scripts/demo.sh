#!/usr/bin/env bash
# The main job on real input: an agent's scripted replies, in Python, JavaScript,
# TypeScript and Rust, run turn by turn against a folder of files, with no service.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

"$GG_REPO/scripts/build.sh"
cd "$GG_REPO"
status=0
for run in run run-javascript run-typescript run-rust; do
  step "coordinator run examples/wordcount/$run.toml"
  "$CARGO_TARGET_DIR/debug/coordinator" run "examples/wordcount/$run.toml" || status=$?
  [ "$status" = 0 ] || die "the run ended with status $status; what it said stands above"
done
cat <<END

Each run above was one agent that counted words: its replies were programs, each ran in
a sandbox against its files, and what they asked to see was in the next prompt. A run's
records are in its folder under runs/: events.jsonl (all that happened, in order),
summary.json, programs/ (as they ran) and tree/ (the files as the agent left them).

One program by itself:   $CARGO_TARGET_DIR/debug/worker exec --arm python PROGRAM.py --tree FOLDER
END
