#!/usr/bin/env bash
# Prints the path of Python VERSION (3.10 …) where this machine has one; else fails.
set -u
for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
  if found=$(command -v "$candidate") && "$found" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
    echo "$found"
    exit 0
  fi
done
exit 1
