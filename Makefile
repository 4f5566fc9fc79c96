# The commands of this project. Everything runs in .venv, which `make install` builds from the package index.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SUITE  ?= all
PYTEST ?=

.PHONY: help install serve test check format bench bench-gpu eval docs attacks clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.runs: pyproject.toml
	@echo "installing into $(VENV): a minute or two"
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	@touch $@

$(VENV)/.installed: $(VENV)/.runs
	@echo "installing the development tools"
	$(PIP) 'pip>=25.1'  # the first that knows dependency groups
	$(PIP) -e . --group dev
	@touch $@

install: $(VENV)/.installed ## Make .venv and install the product with its development tools

serve: $(VENV)/.runs ## Start the proxy with the embedded default on 127.0.0.1:8080
	$(BIN)/guardrail serve

test: install ## Run every test, one process for each core
	$(BIN)/python -m pytest -n auto $(PYTEST)

check: install ## Format, lint, types, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_architecture.py

format: install ## Format and sort imports in place
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: install ## Measure the proxy beside its peers and beside going to the same model directly
	$(BIN)/python -m eval.benchmarks.overhead
	$(BIN)/python -m eval.benchmarks.streams

bench-gpu: install ## Pairs a second of the model that reads evidence, by precision and batch; on the CPU where there is no GPU
	$(PIP) -e '.[gpu]'
	$(BIN)/python -m eval.benchmarks.gpu

eval: install ## Run an evaluation: make eval SUITE=claimver-table2
	$(BIN)/python -m eval $(SUITE)

docs: install ## Build the manual as a site into build/site; a link that leads nowhere is an error
	$(PIP) --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

attacks: install ## The long attack runs: 100,000 random exchanges, 1,000 kill -9
	GUARDRAIL_EXCHANGES=100000 GUARDRAIL_KILLS=1000 $(BIN)/python -m pytest tests/attacks/test_exchanges.py tests/attacks/test_storage.py

clean: ## Remove what the commands above made
	rm -rf $(VENV) build dist *.egg-info
