#!/bin/sh
# run_abi.sh INCLUDE_DIR LIBRARY.so [strict]: holds an installed tree against the fact tables.
# Prints check's counts and fails on a wrong fact, a wrong prototype or an undeclared export;
# with `strict` also on anything that is missing. Ends with `N passed, M failed`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/run_abi.py" "$@"
