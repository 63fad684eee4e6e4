#!/usr/bin/env bash
# Makes the virtual environment FOLDER (…/newest, …/floor, …/python-3.N, …/snowflake, …/connector,
# …/connector_floor) with the versions it tests.
set -eu
folder=$1 floor_python=$2 newest_python=$3
here=$(dirname "$0")
name=$(basename "$folder")
python=$newest_python files=(tools newest)
case $name in
  newest) files+=(lint) ;;
  floor) python=$floor_python files=(tools floor) ;;
  snowflake | connector | connector_floor)
    files=(tools "$name")
    # fakesnow takes no Python before 3.11, the lowest connector none after 3.11
    case $name in connector_floor) wanted=3.10 ;; *) wanted=3.11 ;; esac
    python=$("$here/python.sh" $wanted || echo "$newest_python")
    ;;
  python-*) python=$("$here/python.sh" "${name#python-}") ;;
esac
echo "making $folder: $("$python" --version), versions of ${files[*]}"
rm -rf "$folder"
"$python" -m venv "$folder"
requirements=()
for file in "${files[@]}"; do requirements+=(-r "$here/$file.txt"); done
"$folder/bin/pip" install --quiet --disable-pip-version-check "${requirements[@]}" 'tomli; python_version < "3.11"'
