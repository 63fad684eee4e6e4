#!/usr/bin/env bash
# Prints the path of the first of the Pythons VERSION… (3.10 …) that this machine has; else fails.
set -u
for version in "$@"; do
  for candidate in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
    if found=$(command -v "$candidate") && "$found" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$version')" 2>/dev/null; then
      echo "$found"
      exit 0
    fi
  done
done
exit 1
