# Everything runs in .venv, which these targets make themselves; Python 3.11+ and make are all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt $(wildcard native/*)

.PHONY: play test test-all lint bench clean

play: $(VENV)/.installed
	@$(BIN)/plyground play

test: lint $(VENV)/.installed-dev
	$(BIN)/pytest -n 2

test-all: lint $(VENV)/.installed-dev
	$(BIN)/pytest -n 2 -m 'slow or not slow'

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

SOURCES := $(VENV)/bin/python pyproject.toml $(NATIVE)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --editable

$(VENV)/.installed: $(SOURCES)
	$(INSTALL) .
	@touch $@

$(VENV)/.installed-dev: $(SOURCES)
	$(INSTALL) '.[test,lint]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-bench: $(SOURCES)
	$(INSTALL) '.[test,lint,bench]'
	@touch $(VENV)/.installed $(VENV)/.installed-dev $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
