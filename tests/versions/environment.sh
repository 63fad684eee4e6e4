#!/usr/bin/env bash
# Makes the virtual environment FOLDER (…/newest, …/floor, …/python-3.N) with the versions it tests.
set -eu
folder=$1 floor_python=$2 newest_python=$3
here=$(dirname "$0")
name=$(basename "$folder")
python=$newest_python files=(tools newest)
case $name in
  newest) files+=(lint) ;;
  floor) python=$floor_python files=(tools floor) ;;
  python-*) python=$("$here/python.sh" "${name#python-}") ;;
esac
echo "making $folder: $("$python" --version), versions of ${files[*]}"
rm -rf "$folder"
"$python" -m venv "$folder"
requirements=()
for file in "${files[@]}"; do requirements+=(-r "$here/$file.txt"); done
"$folder/bin/pip" install --quiet --disable-pip-version-check "${requirements[@]}" 'tomli; python_version < "3.11"'
