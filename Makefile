# Everything is installed into .venv beside this file; the first command that needs it creates it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLE := examples/translation
SHARED ?= ../shared
MODELS ?= $(HOME)/.cache/dev-models
# One thread per test worker, since the workers already share the cores.
PYTEST := OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false $(BIN)/python -m pytest

.PHONY: demo install fix check test browser base wheels bench endurance fuzz coverage paper docs clean

demo: $(VENV)/base  ## score the shipped example with the base install
	$(BIN)/farthing compare $(EXAMPLE)/fluent.en $(EXAMPLE)/literal.en $(EXAMPLE)/hasty.en \
		-r $(EXAMPLE)/reference.en -r $(EXAMPLE)/reference2.en -m frugalscore,bleu,chrf --names fluent,literal,hasty

install: $(VENV)/dev  ## install everything that development needs

$(VENV)/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

$(VENV)/base: $(VENV)/pip pyproject.toml
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	@touch $@

$(VENV)/dev: $(VENV)/pip pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[torch,ot,plots,learn,serve,mcp]" --group dev --group docs
	@touch $@ $(VENV)/base

fix: install  ## format, and fix what the linter can fix
	$(BIN)/ruff format src tests benchmarks packages papers
	$(BIN)/ruff check --fix src tests benchmarks packages papers

check: install  ## check format, lint, types and docs
	$(BIN)/ruff format --check src tests benchmarks packages papers
	$(BIN)/ruff check src tests benchmarks packages papers
	$(BIN)/mypy
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

test: install browser  ## run doctests and tests
	$(PYTEST) -q -n auto --ignore=tests/browser

browser: $(VENV)/browser  ## run the tests of pages in a real browser, which is installed if it can be
	$(PYTEST) -q tests/browser

$(VENV)/browser: $(VENV)/dev
	@command -v chromium >/dev/null || { command -v apt-get >/dev/null && test "$$(id -u)" = 0 && \
		{ apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1 || \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; }; } || \
		echo "chromium is not here and cannot be installed: the tests of pages will be skipped"
	@touch $@

base: $(VENV)/only-base  ## run every metric that needs no torch in an environment with the base install alone
	for encoder in small tiny nano ""; do OMP_NUM_THREADS=1 $(VENV)/only-base/bin/python tests/base_install.py $$encoder; done

$(VENV)/only-base: pyproject.toml constraints.txt
	$(PYTHON) -m venv --clear $@
	$@/bin/python -m pip install --quiet -c constraints.txt .
	@touch $@

wheels: $(VENV)/pip  ## build the wheels of farthing and of farthing-base, which needs the weights in packages/base
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist ./packages/base

bench: install  ## run the speed benchmarks, each with its peer in the same run; benchmarks/README.md lists them all
	$(BIN)/python benchmarks/startup_speed.py
	$(BIN)/python benchmarks/bertscore_speed.py $(MODELS)/minilm-l6 --shared $(SHARED)
	$(BIN)/python benchmarks/bertscore_start.py $(MODELS)/minilm-l6
	$(BIN)/python benchmarks/students_speed.py $(SHARED) $(MODELS)
	$(BIN)/python benchmarks/meta_calibration.py
	$(BIN)/python benchmarks/meta_hybrids.py
	$(BIN)/python benchmarks/neighbours_speed.py
	$(BIN)/python benchmarks/transport_speed.py solver

paper: install  ## run the tables and figures of a paper: NAME=bertscore [ITEM=table11] [METRICS=light] [HEAVY=1]
	$(BIN)/python papers/paper.py $(NAME) $(ITEM) --metrics $(or $(METRICS),full) $(if $(HEAVY),--heavy) \
		--human $(SHARED)/data/human --corpora $(SHARED)/data/corpora --models $(MODELS) \
		--yours $(or $(YOURS),papers/yours) --build build/papers

endurance: install  ## kill, starve and damage runs; random texts and broken files; a misbehaving judge
	$(BIN)/python benchmarks/endurance.py
	$(BIN)/python benchmarks/fuzz.py
	$(BIN)/python benchmarks/judge_endurance.py

fuzz: install  ## run schemathesis and ten thousand damaged bodies against farthing serve
	$(BIN)/python benchmarks/serve_fuzz.py

coverage: install  ## run the tests and report which lines they reach
	$(PYTEST) -q -n auto --cov=farthing --cov-report=term:skip-covered --cov-report=xml

docs: install  ## build the documentation in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .hypothesis
