#!/bin/sh
# symbols.sh LIBRARY.so: writes symbols.txt, the sorted list of exports, anew.
set -eu
nm -D --defined-only "$1" | sed 's/.* //; s/@.*//' | grep -E '^(aws|s3fast)_' | LC_ALL=C sort \
    >"$(dirname "$0")/symbols.txt"
