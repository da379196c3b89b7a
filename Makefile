# Everything runs in .venv, which these targets make themselves; Python 3.11+ and make are all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt $(wildcard native/*/*)
SANITIZED := build/sanitized
CXX ?= c++

.PHONY: setup setup-hooks play serve docs test test-all coverage browser bubblewrap test-native-sanitized lint bench clean FORCE

setup: $(VENV)/.installed

# Ctrl-C ends a game or the server, and saves what there is to save: no error of make's.
play: $(VENV)/.installed
	@trap : INT; $(BIN)/plyground play || [ $$? -eq 130 ]

serve: $(VENV)/.installed-web
	@trap : INT; $(BIN)/plyground serve --open || [ $$? -eq 130 ]

test: lint $(VENV)/.installed-dev browser bubblewrap
	$(BIN)/pytest -n 2

test-all: lint $(VENV)/.installed-bench browser bubblewrap
	$(BIN)/pytest -n 2 -m 'slow or not slow'

# What the quick tests run of the program; TESTS names fewer files. The figures go to the page of measurements.
coverage: $(VENV)/.installed-dev browser bubblewrap
	$(BIN)/pytest -n 2 --cov --cov-report= $(TESTS)
	$(BIN)/python -m benchmarks.coverage $(TESTS) > docs/measured/coverage.txt
	@cat docs/measured/coverage.txt

# The browser of the page's tests, installed where that is allowed; elsewhere those tests say what is missing.
browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    { apt-get install -qq -y --no-install-recommends chromium >/dev/null || \
	      { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium >/dev/null; }; }; } || \
	  echo "no browser here: install the package chromium to run the page's tests" >&2

# The sandbox of bots, installed where that is allowed; elsewhere its tests try the weaker modes only.
bubblewrap:
	@command -v bwrap >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    { apt-get install -qq -y --no-install-recommends bubblewrap >/dev/null || \
	      { apt-get update -qq && apt-get install -qq -y --no-install-recommends bubblewrap >/dev/null; }; }; } || \
	  echo "no bubblewrap here: install the package bubblewrap to test the sandbox of bots" >&2

# The core's own tests, with a core that stops at the first misused byte. Python must load the sanitizer first.
test-native-sanitized: $(SANITIZED)/.installed
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 $(SANITIZED)/bin/pytest -p no:cacheprovider $(wildcard tests/test_native*.py) tests/test_batch.py \
	  tests/test_connect_four_solver.py tests/test_best_first.py

$(SANITIZED)/.installed: pyproject.toml $(NATIVE) $(wildcard src/plyground/*.py src/plyground/*/*.py src/plyground/*/*/*.py)
	$(PYTHON) -m venv $(SANITIZED)
	$(SANITIZED)/bin/pip install --quiet --disable-pip-version-check '.[test]' \
	  -C cmake.define.PLYGROUND_SANITIZE=ON -C build-dir=build/sanitized-core
	@touch $@

setup-hooks: $(VENV)/.installed-dev
	$(BIN)/pre-commit install

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going -q docs build/docs
	@echo "open build/docs/index.html"

# An environment that does not work, or that an older Python made, is made anew.
STALE := $(shell test ! -e $(VENV) || $(BIN)/python -c "import pip, sys; sys.exit(sys.version_info[:2] < \
  $$($(PYTHON) -c 'import sys; print(sys.version_info[:2])' 2>/dev/null || echo '(3, 11)'))" 2>/dev/null || echo stale)

$(VENV)/bin/python: $(if $(STALE),FORCE)
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, got " + \
	  sys.version.split()[0] + "; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear $(VENV)

FORCE:

# An editable install lists the modules there are; where some came, went or moved it is made again.
MODULES := $(VENV)/.modules-$(firstword $(shell find src/plyground -name '*.py' | LC_ALL=C sort | cksum))

$(MODULES): | $(VENV)/bin/python
	@rm -f $(VENV)/.modules-*
	@touch $@

SOURCES := $(VENV)/bin/python pyproject.toml $(NATIVE) $(MODULES)
# Two makes at once must not build in the same directory.
LOCKED := $(shell command -v flock >/dev/null && echo flock $(VENV)/.lock)
INSTALL := $(LOCKED) $(BIN)/pip install --quiet --disable-pip-version-check --editable

$(VENV)/.installed: $(SOURCES)
	$(INSTALL) .
	@touch $@

$(VENV)/.installed-dev: $(SOURCES)
	$(INSTALL) '.[test,lint]'
	@touch $(VENV)/.installed $(VENV)/.installed-web $@

$(VENV)/.installed-bench: $(SOURCES)
	$(INSTALL) '.[test,lint,bench]'
	@touch $(VENV)/.installed $(VENV)/.installed-web $(VENV)/.installed-dev $@

$(VENV)/.installed-web: $(SOURCES)
	$(INSTALL) '.[web]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-docs: $(SOURCES)
	$(INSTALL) '.[docs]'
	@touch $(VENV)/.installed $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
