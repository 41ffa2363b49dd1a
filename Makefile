# What one does with this repository. `make` alone lists it.

LISTEN ?= 127.0.0.1:8080
DATA_DIR ?= .wm
ROUNDS ?= 100
SECONDS ?= 60
SEED ?=
ONLY ?= robustness
CRATE ?= integration-tests
CASES ?= 20000
SAMPLES ?= 10000
FUZZ_SECONDS ?= 300
FUZZ_TARGETS ?= publish validate compare upgrade
TARGET := $(or $(CARGO_TARGET_DIR),target)

.DEFAULT_GOAL := help
.PHONY: help run web test browser laws robustness fuzz bench build fmt lint

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: web ## build and run everything in one process, with example worker types (LISTEN=, DATA_DIR=)
	cargo run -p wm -- dev --listen $(LISTEN) --data-dir $(DATA_DIR) --examples

web: ## build the scripts of the pages, if they changed (needs Node.js; the pages read without them)
	@scripts/web

test: ## everything that has to hold; scripts/test -k NAME or --crate CRATE for a part of it
	scripts/test

browser: ## the tests in a browser (ONLY= those whose name has these words)
	scripts/test --browser $(if $(filter-out robustness,$(ONLY)),-k "$(ONLY)")

laws: ## the laws of comparison over many more cases (CASES=, SAMPLES=)
	WM_LAWS=$(CASES) WM_SAMPLES=$(SAMPLES) cargo test --release -p payload-schema --test all -- --nocapture laws_of

robustness: ## what is promised when things break, for longer (SECONDS= a scenario, ROUNDS= of kill -9, ONLY= one of them, CRATE=, SEED= to see a run again)
	WM_ROUNDS=$(ROUNDS) WM_TEST_SECONDS=$(SECONDS) $(if $(SEED),WM_TEST_SEED=$(SEED)) scripts/test --crate $(CRATE) -k $(ONLY) --minutes 240 --require-postgres

# One leak is known and not ours: the engine's recursive unevaluatedProperties keep themselves alive (jsonschema 0.60.2).
fuzz: ## fuzz the engine, each target for FUZZ_SECONDS= (needs cargo-fuzz and a nightly toolchain)
	@for target in $(FUZZ_TARGETS); do \
		(cd fuzz && ASAN_OPTIONS=detect_leaks=0 cargo +nightly fuzz run $$target -- -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=3000 \
			-max_len=2048 -len_control=0 -detect_leaks=0) || exit 1; \
	done

bench: web ## measure what docs/benchmarks.md reports
	cargo build --release -p wm -p integration-tests --bins
	WM_TEST_NODE_FOLDER="$$(cd scripts && python3 -m nodejs.engines)" WM_BIN=$(abspath $(TARGET))/release/wm scripts/postgres run --durable $(TARGET)/release/bench
	cd scripts && WM_BIN=$(abspath $(TARGET))/release/wm python3 -B -m testing.browser_bench

build: web ## build the binary as it is shipped
	cargo build --release -p wm

fmt: ## format the code
	cargo fmt

lint: ## what clippy and rustfmt have to say
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
