# The whole contributor interface. Needs Python 3.10 or later and make; every target makes what it needs.
#   make demo     the main job on an embedded DuckDB, in about a minute
#   make test     nearly everything, against the built wheel, with the newest and the lowest versions
#   make quick    the fast tests, newest versions
#   make soak     a million values of every type on Spark, DuckDB and the calculator; half an hour, nightly
#   make lint     ruff, mypy, pyright, import contracts
#   make golden   rewrite golden/; read the diff
#   make vectors  rewrite spec/vectors/ from spec/reference.py
#   make screenshots  the pictures of proof/README.md; needs Chromium
#   make bench    speed and memory, as ratios
#   make release  everything that can be wrong with a release; says how it is published

SHELL := /bin/bash
# an environment keeps what its first import compiles: tests start many a Python
export PYTHONDONTWRITEBYTECODE :=
PYTHON ?= python3
ENVS := .envs
VERSIONS := tests/versions
SOURCES := pyproject.toml README.md LICENSE $(shell find ods_fingerprint dialects spec -type f -not -name '*.pyc')
PROOF := proof/pyproject.toml proof/README.md $(shell find proof/ods_proof -type f -not -name '*.pyc')
# what runs in environments of its own
PLAIN := --ignore=tests/spark --ignore=tests/snowflake
# the interpreter of each environment, where the machine has it; else $(PYTHON)
FLOOR_PYTHON := $(shell $(VERSIONS)/python.sh 3.10 || echo $(PYTHON))
NEWEST_PYTHON := $(shell $(VERSIONS)/python.sh 3.13 || echo $(PYTHON))

.PHONY: demo test test-proof test-newest test-floor test-pythons test-spark test-snowflake soak quick lint golden vectors screenshots bench release clean
.DELETE_ON_ERROR:
.PRECIOUS: $(ENVS)/%/.tools $(ENVS)/%/.wheel

demo: $(ENVS)/demo/.installed
	PATH="$(CURDIR)/$(ENVS)/demo/bin:$$PATH" demo/run.sh

# what a user does, with versions that are tested
$(ENVS)/demo/.installed: $(SOURCES) $(PROOF) $(VERSIONS)/proof.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -c $(VERSIONS)/proof.txt '.[duckdb]' './proof[polars,duckdb]'
	touch $@

# two lanes at a time, each line marked by its own: what starts a JVM leaves a core half of the time
LANES := lint test-proof test-spark41 test-spark35 test-newest test-floor test-snowflake test-spark43 test-pythons
test: dist/proof/.built
	$(MAKE) --jobs=2 $(LANES:%=lane-%)

.PHONY: $(LANES:%=lane-%)
$(LANES:%=lane-%): lane-%:
	@set -o pipefail; MAKEFLAGS= $(MAKE) $* 2>&1 | sed --unbuffered 's/^/$* | /'

test-newest: $(ENVS)/newest/.wheel
	$(ENVS)/newest/bin/pytest -n 2 $(PLAIN)

# without what says the same whatever lies below the library
test-floor: $(ENVS)/floor/.wheel
	$(ENVS)/floor/bin/pytest -n 2 -m "not one_version" $(PLAIN)

# the other interpreters that the machine has, on the fast tests
test-pythons: $(foreach v,3.11 3.12,$(if $(shell $(VERSIONS)/python.sh $(v)),test-python-$(v)))

test-python-%: $(ENVS)/python-%/.wheel
	$(ENVS)/python-$*/bin/pytest -n 2 -m "not slow" $(PLAIN)

# a local Snowflake, asked through the last connector that it takes, the newest and the lowest
test-snowflake: $(ENVS)/snowflake/.wheel $(ENVS)/connector/.wheel $(ENVS)/connector_floor/.wheel
	$(ENVS)/snowflake/bin/pytest tests/snowflake
	SNOWFLAKE_SERVER_PYTHON=$(ENVS)/snowflake/bin/python $(ENVS)/connector/bin/pytest -m "not slow" tests/snowflake
	SNOWFLAKE_SERVER_PYTHON=$(ENVS)/snowflake/bin/python $(ENVS)/connector_floor/bin/pytest -m "not slow" tests/snowflake

# the five engines of a proof, each step in a process of its own
test-proof: $(ENVS)/proof/.wheel
	$(VERSIONS)/with_java.sh $(ENVS)/proof pytest -n 2 --dist loadgroup -c proof/pyproject.toml proof/tests

# one Spark serves all tests of a version; 4.3, for which there is no Delta yet, takes what is cheap
SPARK43 := golden cases odd connect
test-spark: test-spark35 test-spark41 test-spark43

test-spark43: $(ENVS)/spark43/.wheel
	$(VERSIONS)/with_java.sh $(ENVS)/spark43 pytest $(SPARK43:%=tests/spark/test_spark_%.py)

test-spark35: $(ENVS)/spark35/.wheel
	$(VERSIONS)/with_java.sh $(ENVS)/spark35 pytest -m "not one_version" tests/spark

test-spark41: $(ENVS)/spark41/.wheel
	$(VERSIONS)/with_java.sh $(ENVS)/spark41 pytest tests/spark

soak: $(ENVS)/spark35/.wheel $(ENVS)/spark41/.wheel
	$(VERSIONS)/with_java.sh $(ENVS)/spark35 python tests/soak.py
	$(VERSIONS)/with_java.sh $(ENVS)/spark41 python tests/soak.py

bench: $(ENVS)/bench/.wheel $(ENVS)/spark35/.wheel $(ENVS)/spark41/.wheel
	$(ENVS)/bench/bin/python bench/local.py
	$(ENVS)/bench/bin/python bench/peers.py
	$(VERSIONS)/with_java.sh $(ENVS)/spark35 python bench/spark_ratio.py
	$(VERSIONS)/with_java.sh $(ENVS)/spark41 python bench/spark_ratio.py

quick: $(ENVS)/newest/.wheel
	$(ENVS)/newest/bin/pytest -n 2 -q -m "not slow" $(PLAIN)

lint: $(ENVS)/newest/.wheel
	$(ENVS)/newest/bin/ruff check .
	$(ENVS)/newest/bin/ruff format --check .
	$(ENVS)/newest/bin/mypy
	$(ENVS)/newest/bin/pyright --pythonpath $(ENVS)/newest/bin/python
	$(ENVS)/newest/bin/lint-imports
	$(ENVS)/newest/bin/twine check --strict dist/*.whl dist/*.tar.gz

golden: $(ENVS)/newest/.wheel
	$(ENVS)/newest/bin/python tests/golden_write.py

vectors:
	$(PYTHON) spec/reference.py

dist/.built: $(SOURCES) | $(ENVS)/newest/.tools
	rm -rf dist
	$(ENVS)/newest/bin/python -m build --installer pip -o dist . > /dev/null
	touch $@

dist/proof/.built: $(PROOF) dist/.built
	rm -rf dist/proof
	$(ENVS)/newest/bin/python -m build --installer pip -o dist/proof proof > /dev/null
	touch $@

$(ENVS)/%/.tools: $(wildcard $(VERSIONS)/*)
	$(VERSIONS)/environment.sh $(@D) $(FLOOR_PYTHON) $(NEWEST_PYTHON)
	touch $@

$(ENVS)/%/.wheel: dist/.built $(ENVS)/%/.tools
	$(ENVS)/$*/bin/pip install --quiet --no-deps --force-reinstall dist/*.whl
	touch $@

$(ENVS)/proof/.wheel: dist/proof/.built $(ENVS)/proof/.tools
	$(ENVS)/proof/bin/pip install --quiet --no-deps --force-reinstall dist/*.whl dist/proof/*.whl
	touch $@

screenshots: $(ENVS)/proof/.wheel
	$(ENVS)/proof/bin/python proof/tests/screenshots.py

release:
	.ci/release

clean:
	rm -rf $(ENVS) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
