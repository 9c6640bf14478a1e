#!/bin/sh
# inlines.sh INCLUDE_DIR LIBRARY: the macros and inline functions of the headers, compiled as C and as
# C++, optimised or not. Ends with `N passed, M failed`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
for how in "gcc -std=c11 -O0" "gcc -std=c99 -O2" "clang -std=c11 -O2" "g++ -x c++ -std=c++20 -O2" "clang++ -x c++ -std=c++20 -O0"; do
    # shellcheck disable=SC2086
    if ! $how -Wall -Wextra -Wpedantic -Werror -g -I"$1" -c -o "$work/inlines.o" "$here/inlines.c" ||
        ! ${how%% *} -o "$work/inlines" "$work/inlines.o" "$2" -lpthread -ldl -lm \
            -Wl,-rpath,"$(cd "$(dirname "$2")" && pwd)"; then
        echo "FAILED: $how does not build"
        failed=$((failed + 1))
        continue
    fi
    out=$("$work/inlines")
    echo "$out" | grep -v ' passed, '
    last=$(echo "$out" | tail -1)
    case $last in
    *" passed, "*" failed")
        passed=$((passed + ${last%% passed*}))
        last=${last#*passed, }
        failed=$((failed + ${last% failed}))
        ;;
    *)
        echo "FAILED: $how: no end"
        failed=$((failed + 1))
        ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
