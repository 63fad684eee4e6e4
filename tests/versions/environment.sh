#!/usr/bin/env bash
# Makes the virtual environment FOLDER (…/newest, …/floor, …/python-3.N) with the versions it tests.
set -eu
folder=$1 floor_python=$2 newest_python=$3
here=$(dirname "$0")
name=$(basename "$folder")
python=$newest_python
versions=newest
case $name in
  floor) python=$floor_python versions=floor ;;
  python-*) python=$("$here/python.sh" "${name#python-}") ;;
esac
echo "making $folder: $("$python" --version), versions of $here/$versions.txt"
rm -rf "$folder"
"$python" -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check \
  -r "$here/tools.txt" -r "$here/$versions.txt" 'tomli; python_version < "3.11"'
