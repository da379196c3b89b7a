# Everything runs in .venv, which these targets make themselves; Python 3.11+ and make are all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WASM := src/plyground/web/static/wasm
NATIVE := CMakeLists.txt $(filter-out native/wasm/%,$(wildcard native/*/*))
CPP := $(wildcard native/*/*.cpp native/*/*.hpp)
PYTHON_SOURCES := $(shell find src/plyground -name '*.py')
NATIVE_TESTS := tests/native tests/judge $(patsubst %,tests/%.py,solve/test_best_first solve/test_connect_four_solver solve/test_proof \
  heuristics/test_heuristics_net games/test_games_text games/test_rules_goals training/test_net_files training/test_training)
SANITIZED := build/sanitized
THREADED := build/threaded
CXX ?= c++

.PHONY: setup setup-hooks play serve wasm docs ready test test-all coverage programs test-native-sanitized test-native-threads \
  lint lint-scripts bench clean FORCE

setup: $(VENV)/.installed

# Ctrl-C ends a game or the server, and saves what there is to save: no error of make's.
play: $(VENV)/.installed
	@trap : INT; $(BIN)/plyground play || [ $$? -eq 130 ]

serve: $(VENV)/.installed-web
	@trap : INT; $(BIN)/plyground serve --open || [ $$? -eq 130 ]

# What the tests take, three things at a time: downloading, compiling for the machine and for the browser, and checking go
# well together.
READY = @$(MAKE) --no-print-directory -j 3 ready

# The tests start the program some thousand times: it is compiled for that even where Python is told not to keep it.
ready: programs $(WASM)/engine-play.wasm lint
	@$(BIN)/python -m compileall -q src

# Three at a time on two cores, since a third of their time tests wait: for a browser, a bot, a clock. A worker that has
# nothing left to do takes tests from the others.
test:
	$(READY)
	$(BIN)/pytest -n 3 --dist worksteal

test-all: $(VENV)/.installed-bench
	$(READY)
	$(BIN)/pytest -n 3 --dist worksteal -m 'slow or not slow'

# What the quick tests run of the program; TESTS names fewer files. The figures go to the page of measurements. The tests
# run in parts, and what is done is kept in build/coverage: a run that was stopped goes on where it was.
coverage: $(VENV)/.installed-dev programs $(WASM)/engine-play.wasm
	@mkdir -p build
	$(BIN)/python -m benchmarks.coverage $(TESTS) >build/coverage.txt
	mv build/coverage.txt docs/measured/coverage.txt
	@cat docs/measured/coverage.txt

# Python for browsers, which a test of the page without a server uses.
PYODIDE := build/pyodide/package

# Programs that tests use, one after the other: $(1) any of these will do, $(2) the package of Debian that has it, $(3)
# what for. They are installed where that is allowed; elsewhere those tests say what is missing.
APT_INSTALL := apt-get install -qq -y --no-install-recommends
define program
	@$(foreach name,$(1),command -v $(name) >/dev/null ||) \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    { $(APT_INSTALL) $(2) >/dev/null || { apt-get update -qq && $(APT_INSTALL) $(2) >/dev/null; }; }; } || \
	  echo "not here: $(firstword $(1)); install the package $(2) to test $(3)" >&2
endef

programs:
	$(call program,chromium google-chrome,chromium,the page)
	$(call program,firefox-esr firefox,firefox-esr,the page in Firefox)
	$(call program,bwrap,bubblewrap,the strongest sandbox of bots)
	$(call program,node,nodejs,the core for the browser)
	$(call program,zsh,zsh,completion in zsh)
	$(call program,fish,fish,completion in fish)
	@wanted=$$(sed -n 's/^PYODIDE = "\(.*\)"/\1/p' src/plyground/web/site/python_files.py); \
	[ -e $(PYODIDE)/pyodide.mjs ] || { mkdir -p $(PYODIDE) && command -v npm >/dev/null && cd $(PYODIDE) && \
	  npm pack --silent "$$wanted" >/dev/null && \
	  tar -xzf pyodide-*.tgz --strip-components=1 && rm pyodide-*.tgz; } 2>/dev/null || \
	  echo "not here: the npm package pyodide; install npm, with a network, to test Python in the page" >&2

# The core's own tests, with a core that stops at the first misused byte. Python must load the sanitizer first.
test-native-sanitized: $(SANITIZED)/.installed
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	  $(SANITIZED)/bin/pytest -p no:cacheprovider $(NATIVE_TESTS)

# The tests with several threads, with a core that stops where two of them use the same memory without an order.
# Addresses stay as they are from run to run (setarch): the sanitizer knows no others.
test-native-threads: $(THREADED)/.installed
	LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  TSAN_OPTIONS=halt_on_error=1:report_signal_unsafe=0 setarch -R \
	  $(THREADED)/bin/pytest -p no:cacheprovider -m 'threads and not slow' $(NATIVE_TESTS)

$(SANITIZED)/.installed: WATCHED := address,undefined
$(THREADED)/.installed: WATCHED := thread

$(SANITIZED)/.installed $(THREADED)/.installed: pyproject.toml $(NATIVE) $(PYTHON_SOURCES)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check '.[test]' \
	  -C cmake.define.PLYGROUND_SANITIZE=$(WATCHED) -C build-dir=$(@D)-core
	@touch $@

setup-hooks: $(VENV)/.installed-dev
	$(BIN)/pre-commit install

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run -Werror $(CPP)
	$(BIN)/mypy
	@$(MAKE) --no-print-directory lint-scripts

# What judges the page's scripts comes from npm; where that or a network is missing, only this is left out.
JUDGES := build/lint
JUDGES_FOR := $(wildcard lint/*)
SCRIPTS := src tests benchmarks docs/_live

lint-scripts:
	@command -v npm >/dev/null && $(MAKE) --no-print-directory --silent $(JUDGES)/.installed 2>/dev/null || \
	  { echo "not here: eslint and tsc; install npm, with a network, to check the page's scripts" >&2; rm -f $(JUDGES)/.installed; }
	@[ ! -e $(JUDGES)/.installed ] || { $(JUDGES)/node_modules/.bin/eslint --config $(JUDGES)/eslint.config.js $(SCRIPTS) && \
	  $(JUDGES)/node_modules/.bin/tsc --project lint/tsconfig.json; }

$(JUDGES)/.installed: $(JUDGES_FOR)
	@mkdir -p $(JUDGES)
	@cp $(JUDGES_FOR) $(JUDGES)
	@cd $(JUDGES) && npm install --silent --no-audit --no-fund --ignore-scripts >/dev/null 2>&1
	@touch $@

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

# The core for the browser: the page then plays without a server. About a minute and a half at first, on two cores.
wasm: $(WASM)/engine-play.wasm

$(WASM)/engine.wasm: $(wildcard native/*/*) | $(VENV)/.zig
	$(if $(LOCKED),$(LOCKED)-wasm) $(BIN)/python native/wasm/build.py

$(WASM)/engine-play.wasm: $(WASM)/engine.wasm
	@touch $@

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

SOURCES := $(VENV)/.tools pyproject.toml $(NATIVE) $(MODULES)
# Two makes at once must not build in the same directory.
LOCKED := $(shell command -v flock >/dev/null && echo flock $(VENV)/.lock)
PIP := $(LOCKED) $(BIN)/pip install --quiet --disable-pip-version-check
INSTALL := $(PIP) --no-build-isolation --editable
COMPILING = @echo "compiling the core; this takes a minute or two at first"
listed = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1), sep="\n")'

# What builds the package stays in the environment instead of a new folder for each build: so all paths stay the same,
# and only what changed is compiled again. First what pyproject.toml names, then what that needs here (cmake,
# ninja, a compiler).
$(VENV)/.tools: $(VENV)/bin/python pyproject.toml native/packaging/core_backend.py
	@$(call listed,["build-system"]["requires"]) >$@-named
	$(PIP) --requirement $@-named
	@PYTHONPATH=native/packaging $(BIN)/python -c 'import core_backend as b; print(*b.get_requires_for_build_editable(), sep="\n")' >$@-needed
	$(PIP) --requirement $@-named --requirement $@-needed
	@touch $@

# The compiler for the browser is all that its modules need, so they are compiled while the rest is still downloaded.
$(VENV)/.zig: $(VENV)/bin/python pyproject.toml
	@$(call listed,["project"]["optional-dependencies"]["wasm"]) >$@-named
	$(PIP) --requirement $@-named
	@touch $@

$(VENV)/.installed: $(SOURCES)
	$(COMPILING)
	$(INSTALL) .
	@touch $@

$(VENV)/.installed-dev: $(SOURCES)
	$(COMPILING)
	$(INSTALL) '.[test,lint]'
	@touch $(VENV)/.installed $(VENV)/.installed-web $@

$(VENV)/.installed-bench: $(SOURCES)
	$(COMPILING)
	$(INSTALL) '.[test,lint,bench]'
	@touch $(VENV)/.installed $(VENV)/.installed-web $(VENV)/.installed-dev $@

$(VENV)/.installed-web: $(SOURCES)
	$(COMPILING)
	$(INSTALL) '.[web]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-docs: $(SOURCES)
	$(COMPILING)
	$(INSTALL) '.[docs]'
	@touch $(VENV)/.installed $@

clean:
	rm -rf $(VENV) build dist $(WASM) .pytest_cache .mypy_cache .ruff_cache .hypothesis
