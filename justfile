# The list of commands of this project, once; `.ci/run` and people call these. `just` comes with the dev dependencies
# (rust-just on PyPI). The tools are those of the active environment.

set shell := ["bash", "-euo", "pipefail", "-c"]

# list the recipes
default:
    @just --list --unsorted

# the fast tests and a share of the slow ones; arguments go to pytest
test *arguments:
    python -m pytest {{ arguments }}

# all tests and campaigns; adds a row to docs/quality.md; arguments go to pytest
nightly *arguments:
    python bench/nightly.py {{ arguments }}

# measure which tests are slow, with nothing cached: all, or those that the arguments name
durations *arguments:
    TMPDIR="$(mktemp -d)" python -m pytest --tier nightly -m "not campaign" --write-durations {{ arguments }}

# everything that is not a test of behaviour
check: static package

# linter, formatter, types, layers
static:
    ruff check .
    ruff format --check .
    mypy
    lint-imports --no-cache

# version, changelog, lock, package lists and a wheel, house rules of the tree
package:
    python -m pytest tests/test_packaging.py tests/test_layout.py

# format and repair what can be repaired
fmt:
    ruff check --fix .
    ruff format .

# measurements; arguments go to bench/run.py
bench *arguments:
    python bench/run.py {{ arguments }}

# make bench/ledger.json, what must not change without a reason; `just ledger --check` names every number that moved
ledger *arguments:
    python bench/ledger.py {{ arguments }}

# the slow campaigns
campaign *arguments:
    python -m pytest -m campaign {{ arguments }}

# games to play, the studio without a server and the manual, build/site; `just site --solve 20` solves the puzzles, too
site *arguments:
    python docs/build_site.py
    rulewright site --output build/site --manual build/manual {{ arguments }}

# record the snapshots anew: read the difference before committing it
snapshots *arguments:
    python -m pytest --tier nightly -m "not campaign" --snapshot-update {{ arguments }}

# resolve the dependencies anew (needs uv)
lock:
    uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --upgrade --generate-hashes \
        --no-emit-index-url --no-annotate --output-file requirements.lock --custom-compile-command \
        "just lock (needs uv); install by: python -m pip install --require-hashes --requirement requirements.lock"

# what the continuous integration does: a fresh environment, the checks, the tests
ci:
    .ci/run
