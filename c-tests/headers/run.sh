#!/bin/sh
# run.sh INCLUDE_DIR: every header alone and all together, as C99, C11, C++17 and C++20, with gcc and
# clang, without a warning; every field of every public struct named in an initialiser; and the proof
# that this script would see a fault. Ends with `N passed, M failed`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
include=$(cd "${1:-$here/../../include}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warn="-Wall -Wextra -Wpedantic -Werror"
jobs=$(nproc 2>/dev/null || echo 2)

compilers=""
for cc in gcc clang; do
    if command -v $cc >/dev/null; then
        compilers="$compilers $cc"
    else
        echo "FAILED: no $cc on this machine"
        exit 1
    fi
done

# One line a compilation: compiler, standard, source, name.
list="$work/list"
: >"$list"
headers=$(cd "$include" && find . -name '*.h' -o -name '*.inl' | sed 's,^\./,,' | sort)
: >"$work/all.c"
for header in $headers; do
    name=$(echo "$header" | tr '/.' '__')
    # A unit must declare something; a header of macros only declares nothing.
    printf '#include <%s>\n#include <%s>\ntypedef int unit;\n' "$header" "$header" >"$work/$name.c"
    echo "#include <$header>" >>"$work/all.c"
done
echo "int main(void) { return 0; }" | cat "$work/all.c" - >"$work/together.c"
echo "int second_unit(void); int second_unit(void) { return 0; }" | cat "$work/all.c" - >"$work/second.c"
python3 "$here/fields.py" "$include" "$here/../abi" >"$work/fields.c" || exit 1

for cc in $compilers; do
    for std in c99 c11 c++17 c++20; do
        for source in "$work"/*.c; do
            name=$(basename "$source" .c)
            # Designated initialisers came to C++ with C++20.
            [ "$name" = fields ] && [ $std = c++17 ] && continue
            echo "$cc $std $source" >>"$list"
        done
    done
done

# Faults the compilations above must be able to see.
mkdir "$work/planted"
for fault in 'struct aws_allocator *x(struct unseen { int a; } *);' 'int y(unsigned a); int y(unsigned a) { return a < 0; }' \
    'typedef struct { } empty;' 'int z(undeclared_type);'; do
    n=$(ls "$work/planted" | wc -l)
    echo "$fault" >"$work/planted/$n.c"
done

export include warn
cat >"$work/one.sh" <<'ONE'
case $2 in
c++*) lang=c++ ;;
*) lang=c ;;
esac
log="$3.$1.$2.log"
if $1 -x $lang -std=$2 $warn -fsyntax-only -I"$include" "$3" >"$log" 2>&1; then
    echo ok
else
    echo "bad $1 -std=$2 $(basename "$3" .c)"
    head -12 "$log" >&2
fi
ONE
xargs -P "$jobs" -L 1 sh "$work/one.sh" <"$list" >"$work/results"
passed=$(grep -c '^ok' "$work/results")
failed=$(grep -c '^bad' "$work/results")
grep '^bad' "$work/results" | sed 's/^bad/FAILED:/'

# The planted faults: each must fail where it is one (an empty struct is a fault in C only).
for source in "$work"/planted/*.c; do
    if gcc -x c -std=c11 $warn -fsyntax-only "$source" >/dev/null 2>&1; then
        echo "FAILED: the planted fault $(cat "$source") was not seen"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done

# All headers in two units of one program: a definition that strayed into a header meets itself.
for cc in $compilers; do
    if $cc -I"$include" -o "$work/together" "$work/together.c" "$work/second.c" 2>"$work/link.log"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $cc links all headers in two units"
        head -5 "$work/link.log"
        failed=$((failed + 1))
    fi
done

echo "headers: $(echo "$headers" | wc -l) files, $(wc -l <"$list") compilations"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
