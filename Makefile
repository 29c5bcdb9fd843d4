# The README's commands: `make judge` and `make test`. Both make their own virtual environment first, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help judge test test-all check lint types bench clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

judge: $(READY)  ## judge every shipped solution of every problem; ARGS="uva131 -j 1" for less
	@$(BIN)/judge run $(ARGS)

test: $(READY)  ## run the tests; ARGS="-k diff" for some
	@$(BIN)/pytest -n auto $(ARGS)

test-all: $(READY)  ## run the tests that take long, too
	@$(BIN)/pytest -n auto -m "" $(ARGS)

check: lint types test  ## lint, types, import layers and tests

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/mypy

bench: $(READY)  ## measure; prints ratios within one run
	@for program in bench/bench_*.py; do $(BIN)/python -m bench.$$(basename $$program .py) || exit 1; done

clean:  ## remove what can be made again; the history and what was submitted stay in .judge
	@rm -rf $(VENV) .judge/objects .judge/programs .judge/facts.json .judge/results.sqlite* .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml .ci/make-venv
	@PYTHON="$(PYTHON)" sh .ci/make-venv $(VENV)
	@touch $@
