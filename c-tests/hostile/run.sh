#!/bin/sh
# run.sh INCLUDE_DIR LIBRARY [compiler flags]: every export with NULL, absurd and foreign arguments.
# LIBRARY is the shared library or the archive. Ends with `N passed, M failed`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
include=$1
library=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/hostile.py" "$include" >"$work/hostile.c"
${CC:-cc} -std=gnu11 -g -O1 -w "$@" -I"$include" -o "$work/hostile" "$work/hostile.c" "$library" \
    -lpthread -ldl -lm -Wl,-rpath,"$(cd "$(dirname "$library")" && pwd)"
"$work/hostile"
