#!/usr/bin/env bash
# Makes the virtual environment FOLDER (…/newest, …/floor, …/python-3.N, …/spark35 …, …/snowflake,
# …/connector, …/connector_floor) with the versions it tests.
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
  # the Python that each is for, else what is there
  spark35) python=$("$here/python.sh" 3.10 3.11 3.12 3.13 || echo "$newest_python") files=(tools spark35) ;;
  spark41) python=$("$here/python.sh" 3.11 3.10 3.12 3.13 || echo "$newest_python") files=(tools spark41) ;;
  spark43) python=$("$here/python.sh" 3.12 3.11 3.13 3.10 || echo "$newest_python") files=(tools spark43) ;;
  bench) python=$("$here/python.sh" 3.11 3.12 3.10 3.13 || echo "$newest_python") files=(bench) ;;
  proof) python=$("$here/python.sh" 3.11 3.12 3.10 3.13 || echo "$newest_python") files=(tools proof) ;;
  python-*) python=$("$here/python.sh" "${name#python-}") ;;
esac
echo "making $folder: $("$python" --version), versions of ${files[*]}"
rm -rf "$folder"
"$python" -m venv "$folder"
requirements=()
for file in "${files[@]}"; do requirements+=(-r "$here/$file.txt"); done
# what is never imported need not be compiled
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-compile "${requirements[@]}" 'tomli; python_version < "3.11"'
