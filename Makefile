# Two commands on a fresh machine: `make demo`, `make test`. Only pip is used;
# g++ (or another compiler of C++20) and the headers of Python are needed.

PYTHON ?= python3
VENV ?= .venv
# Where pip's index sends a build of torch with GPU libraries, TORCH can name
# another one, with options of pip: make TORCH="torch==2.13.0 --index-url ..."
TORCH ?= torch==2.13.0
DEMO_INSTANCE ?= NCC-n0101-s1
BENCH_INSTANCES ?= instances
BENCH_OPTIONS ?= --methods savings,ckm --jobs 2
# A record or page of docs/benchmarks, and options as --pages-only.
PAGE ?= all
PAGE_OPTIONS ?=
# Options of pytest for `make robustness`, such as -k files.
PYTEST_OPTIONS ?=
# Tests of compiled code, for `make sanitize`.
CORE_TESTS ?= tests/ccp tests/clustering tests/paper/scoring tests/vrp
# Processes that the tests run in; each takes up to a gigabyte.
TEST_WORKERS ?= 2

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO_STAMP := $(VENV)/.installed-demo
DOCS_STAMP := $(VENV)/.installed-docs
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The tools of the build stay in the environment: when a source of C++ has
# changed, the next import builds it.
BUILD_TOOLS := cmake hatch-fancy-pypi-readme nanobind ninja scikit-build-core
EDITABLE := $(PIP) install --no-build-isolation \
	--config-settings=editable.rebuild=true \
	--config-settings=build-dir=build/editable \
	--config-settings=cmake.define.NCC_ROUTING_WERROR=ON --editable
BUILD_FILES := pyproject.toml CMakeLists.txt ncc_routing/cpp/CMakeLists.txt
DEMO := $(BIN)/ncc-route solve $(DEMO_INSTANCE) --seed 1
CORE := $(BIN)/python -c 'import ncc_routing._core'
# Tests that try few of their cases in `make test`.
MANY_SEEDS := $(shell grep -rl --exclude-dir=robustness \
	'tests.robustness.support import.* seeds' tests)
CPP := $(shell find ncc_routing/cpp -name '*.h' -o -name '*.cpp')

# Every process of the tests would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test numeric lint format coverage sanitize tables \
	docs bench page acceptance wheel-test robustness lowest clean

help:  ## List the targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install $(BUILD_TOOLS)
endef

$(DEMO_STAMP): $(BUILD_FILES)
	$(environment)
	$(EDITABLE) '.[lkh,plot]'
	touch $@

# torch comes first and alone, so that the package takes this very one.
$(STAMP): $(BUILD_FILES)
	$(environment)
	$(PIP) install $(TORCH)
	$(EDITABLE) '.[dev]'
	touch $(DEMO_STAMP) $@

$(DOCS_STAMP): $(STAMP)
	$(EDITABLE) '.[docs]'
	touch $@

demo: $(DEMO_STAMP)  ## Solve an instance by clusters and LKH, and well.
	mkdir -p out
	$(DEMO) --method ckm --router lkh --polish none --output out/clusters.sol
	$(DEMO) --time-limit 5 --output out/demo.sol --plot out/demo.png
	$(BIN)/ncc-route check $(DEMO_INSTANCE) out/demo.sol
	@echo "The routes are in out/demo.sol, and drawn in out/demo.png."

# The processes keep the cores busy; threads of BLAS would wait in circles.
test: export OPENBLAS_NUM_THREADS := 1
test: export OMP_NUM_THREADS := 1
test: $(STAMP)  ## Run the tests.
	$(CORE)
	$(BIN)/python -m pytest --numprocesses $(TEST_WORKERS) \
		--dist worksteal --budget

numeric: $(STAMP)  ## Run tests of numbers as on other processors.
	$(CORE)
	.ci/numeric $(BIN)

lint: $(STAMP)  ## Run ruff, mypy, clang-format and clang-tidy.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	PATH="$(BIN):$$PATH" cmake -S . -B build/lint -G Ninja --log-level ERROR \
		-DNCC_ROUTING_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
		-DPython_EXECUTABLE="$$(realpath -s $(BIN)/python)" > /dev/null
	printf '%s\n' $(filter-out %bindings.cpp,$(filter %.cpp,$(CPP))) \
		| xargs -n 4 -P $(TEST_WORKERS) \
			$(BIN)/clang-tidy --quiet -p build/lint

format: $(STAMP)  ## Format the code.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP)

coverage: $(STAMP)  ## Measure the lines that the tests run; fail below 90 %.
	rm -rf .coverage .coverage.*
	.ci/with_core COVERAGE $(BIN) $(BIN)/python -m coverage run -m pytest
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --skip-covered --fail-under=90
	$(BIN)/gcovr --root ncc_routing/cpp --merge-lines \
		--gcov-suspicious-hits-threshold 0 --fail-under-line 90 build/coverage

# Debug first: each move of a search checks what it claims to change.
sanitize: $(STAMP)  ## Run the tests of compiled code with its checks on.
	.ci/with_core DEBUG $(BIN) $(BIN)/python -m pytest $(CORE_TESTS)
	.ci/with_core SANITIZE $(BIN) $(BIN)/python -m pytest $(CORE_TESTS)

tables: $(STAMP)  ## Write what is read off the code into its pages.
	$(BIN)/python docs/method_tables.py
	$(BIN)/python docs/command_tables.py
	$(BIN)/python docs/column_tables.py
	$(BIN)/python docs/licence_table.py
	$(BIN)/python docs/phase_table.py

docs: $(DOCS_STAMP)  ## Build the documentation into docs/_build/html.
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

bench: $(STAMP)  ## Compare methods on BENCH_INSTANCES.
	mkdir -p out
	rm -f out/bench.csv
	$(BIN)/ncc-route bench $(BENCH_INSTANCES) $(BENCH_OPTIONS) \
		--output out/bench.csv

page: $(STAMP)  ## Run PAGE, a benchmark, and show its tables.
	PYTHONPATH=docs $(BIN)/python -m benchmarks $(PAGE) $(PAGE_OPTIONS)

wheel-test: $(STAMP)  ## Build the wheel, use it in an empty environment.
	.ci/wheel $(BIN)/python

robustness: $(STAMP)  ## Try to break the package; takes an hour.
	ROBUSTNESS_PROFILE=large $(BIN)/python -m pytest tests/robustness \
		$(MANY_SEEDS) $(PYTEST_OPTIONS)


lowest:  ## Install the lowest versions of all packages, run their tests.
	.ci/lowest $(PYTHON) '$(TORCH)'

acceptance: $(STAMP)  ## Try everything as a new user would; takes minutes.
	$(BIN)/python -m pytest tests/acceptance -m acceptance

clean:  ## Remove what was built, but not the environment.
	rm -rf build dist out docs/_build docs/api/generated .coverage .coverage.*
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find ncc_routing cli docs tests -name __pycache__ -type d -prune \
		-exec rm -rf {} +
