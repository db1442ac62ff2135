# Thin names for the scripts: each says what it does, and installs what it needs first.

.PHONY: help demo test test-model build artifacts ci clean-runs

help: ## List the targets
	@sed -n 's/^\([a-z -]*\):.*## /\1\t/p' Makefile | expand -t 18

demo: ## Set up, build, and run the examples: an agent in Python, JavaScript, TypeScript, Rust
	@scripts/demo.sh

test: ## Set up, and pass the tests
	@scripts/test.sh

test-model: ## Prove the wire to a real model: builds a llama.cpp server with a very small one
	@scripts/test-model.sh

build artifacts: ## Set up, and build the binaries and the arms' artifacts
	@scripts/build.sh

ci: ## All that a change must pass: format, lints, tests
	@.ci/run

clean-runs: ## Remove the records of runs (runs/)
	rm -rf runs

bench: ## Measure worker and coordinator against their bounds, from a release build
	@scripts/bench.sh
