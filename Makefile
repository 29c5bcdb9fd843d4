# `make judge` and `make test` need no setup: the first one to run creates the virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help judge test test-all test-loaded check lint types bench screenshot clean

help:  ## show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

judge: $(READY)  ## judge all shipped solutions; ARGS="uva131 -j 1" passes arguments on
	@$(BIN)/judge run $(ARGS)

test: $(READY)  ## run the tests; ARGS="-k diff" selects some
	@$(BIN)/pytest -n auto --dist loadfile -rs $(ARGS)

test-all: $(READY)  ## run all tests, including the slow ones
	@$(BIN)/pytest -n auto --dist loadfile -rs -m "" $(ARGS)

test-loaded: $(READY)  ## run the tests five times on a busy machine: no test may depend on how long something takes
	@sh .ci/loaded $(BIN)/pytest -n auto --dist loadfile -rs $(ARGS)

check: lint types test  ## lint, check types, and run the tests

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/mypy

bench: $(READY)  ## run all benchmarks (see bench/README.md)
	@for program in bench/bench_*.py; do $(BIN)/python -m bench.$$(basename $$program .py) || exit 1; done

screenshot: $(READY)  ## make the picture of the README, docs/screen.svg
	@$(BIN)/python -m bench.screen

clean:  ## delete everything that can be made again; keeps the history and the record of submissions
	@rm -rf $(VENV) .judge/objects .judge/problems .judge/programs .judge/facts.json .judge/results.sqlite* .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml .ci/make-venv
	@PYTHON="$(PYTHON)" sh .ci/make-venv $(VENV)
	@touch $@
