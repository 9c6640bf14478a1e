#!/bin/sh
# run_errors.sh INCLUDE_DIR LIBRARY.so: every error code, its name and text. Ends with
# `N passed, M failed`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/errors.py" >"$work/errors.c"
${CC:-cc} -std=c11 -Wall -Wextra -I"$1" -o "$work/errors" "$work/errors.c" "$2" -lpthread -ldl -lm \
    -Wl,-rpath,"$(cd "$(dirname "$2")" && pwd)"
"$work/errors"
