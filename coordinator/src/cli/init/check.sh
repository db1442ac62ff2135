#!/bin/sh
# Runs on a copy of the agent's final tree, its current folder. `$GG_CHECK` is the folder of this file, which the agent
# never saw; what is written to `$GG_SCORE`, a number or a JSON object of numbers, is the run's score.
right=$(grep -cFx -f "$GG_CHECK/open.txt" open.txt)
echo "${right:-0}" >"$GG_SCORE"
diff "$GG_CHECK/open.txt" open.txt
