# Short targets; the work is done in deploy/ and tests/run.py.
BIN := .venv/bin
# Every start would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup play up down test check drills bench screenshots lock

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  make %-11s %s\n' "$$name" "$$text"; done

setup: ## install everything into .venv and gateway/web/node_modules (quick when nothing changed; PYTHON=python3.12 chooses one)
	@./deploy/setup.sh

play: setup ## one match against computer players, in one process, with nothing else to install
	@$(BIN)/lastwaters play

up: setup ## the whole stack on this machine; more workers: make up RESOLUTION=3
	@$(BIN)/python -m deploy.local up $(filter-out PYTHON=% LASTWATERS_%,$(MAKEOVERRIDES))

down: ## stop exactly what make up started
	@[ ! -x $(BIN)/python ] || $(BIN)/python -m deploy.local down

test: setup ## every check and test, minutes of each part; one part: make test PART=rules
	@$(BIN)/python tests/run.py $(PART)

check: setup ## format, lint, types, and the boundaries between rooms
	@status=0; for tool in "ruff format --check ." "ruff check ." mypy lint-imports; do \
		echo "-- $$tool"; $(BIN)/$$tool || status=1; done; exit $$status

drills: setup ## the full grids of faults injected at every step (long)
	@LASTWATERS_DRILLS=full $(BIN)/python tests/run.py simulation drills warfare

bench: setup ## the benchmarks, one JSON line a figure; some of them: make bench BENCH=rules
	@$(BIN)/python -m tests.bench $(BENCH)

screenshots: setup ## write the pictures of the web client to gateway/web/screenshots; some: make screenshots SCENE=map
	@$(BIN)/python -m tests.web.screenshots $(SCENE)

lock: setup ## resolve the dependencies of pyproject.toml anew into requirements.lock (needs uv)
	uv pip compile --universal --generate-hashes --group dev pyproject.toml -o requirements.lock --no-header --upgrade
