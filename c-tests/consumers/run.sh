#!/bin/bash
# run.sh PREFIX: builds and runs programs against the tree that `make install PREFIX=` made, each
# way the README names. Ends with "N passed, M failed".
set -u
[ $# -eq 1 ] && [ -d "$1" ] || { echo "usage: run.sh PREFIX" >&2; exit 2; }
prefix=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
lib=$(dirname "$(find "$prefix" -name libs3fast.a | head -1)")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
flags="-std=gnu99 -Wall -Wextra -Werror -O1"
passed=0 failed=0

# check NAME COMMAND...: its output is shown only where it fails.
check() {
    local name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        sed 's/^/     /' "$work/log" | tail -40
    fi
}

with_cmake() {
    cmake -S "$here/cmake" -B "$work/$1" -DCMAKE_PREFIX_PATH="$prefix" -DWAY="$1" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" &&
        cmake --build "$work/$1" && timeout 60 "$work/$1/consumer" "$2"
}

with_pkg_config() {
    local found
    export PKG_CONFIG_PATH=$lib/pkgconfig
    found=$(pkg-config --cflags --libs "$1") &&
        $cc $flags -o "$work/pkg" "$here/consumer.c" $found -lpthread &&
        LD_LIBRARY_PATH=$lib timeout 60 "$work/pkg" shared
}

plain_shared() {
    $cc $flags -DWITH_S3FAST_HEADER -I"$prefix/include" -o "$work/shared-cc" "$here/consumer.c" \
        -L"$lib" -ls3fast -Wl,-rpath,"$lib" -lpthread && timeout 60 "$work/shared-cc" shared
}

plain_static() {
    $cc $flags -DWITH_S3FAST_HEADER -I"$prefix/include" -o "$work/static-cc" "$here/consumer.c" \
        "$lib/libs3fast.a" -lpthread -ldl -lm -lgcc_s && timeout 60 "$work/static-cc" static
}

# A program that was linked with the nine libraries runs with ours in their place. Stand-ins with
# their names take the part of the libraries at link time.
in_their_place() {
    local stand=$work/stand so names
    mkdir -p "$stand"
    $cc $flags -I"$prefix/include" -c -o "$stand/consumer.o" "$here/consumer.c" || return 1
    nm -u "$stand/consumer.o" | sed -n 's/^ *U \(aws_.*\)/\1/p' > "$stand/names"
    sed 's/aws_http_method_get\|aws_http_method_put/void *&[2];/; t; s/.*/void &(void) {}/' "$stand/names" > "$stand/all.c"
    names=0
    for so in libaws-c-common.so.1.0 libaws-c-cal.so.1.0 libaws-c-sdkutils.so.1.0 libaws-checksums.so.1.0 \
        libaws-c-compression.so.1.0 libaws-c-io.so.1.0 libaws-c-http.so.1.0 libaws-c-auth.so.1.0 libaws-c-s3.so.1.1; do
        [ "$(readlink "$lib/s3fast/compat/$so")" = ../../libs3fast.so.0 ] || { echo "$so is no link to us"; return 1; }
        : > "$stand/empty.c"
        local source=$stand/empty.c
        [ $so = libaws-c-s3.so.1.1 ] && source=$stand/all.c
        $cc -w -shared -fPIC -o "$stand/$so" "$source" -Wl,-soname,$so || return 1
        names=$((names + 1))
    done
    [ "$(ls "$lib/s3fast/compat" | wc -l)" -eq $names ] || { echo "there are other names"; return 1; }
    $cc -o "$work/theirs" "$stand/consumer.o" -Wl,--no-as-needed "$stand"/libaws-*.so.* -lpthread || return 1
    readelf -d "$work/theirs" | grep -q 'NEEDED.*libaws-c-s3.so.1.1' || { echo "does not need it"; return 1; }
    # Without ours it does not even start: the program finds nothing else by chance.
    ! timeout 60 "$work/theirs" shared > /dev/null 2>&1 || { echo "runs without ours"; return 1; }
    LD_LIBRARY_PATH=$lib/s3fast/compat timeout 60 "$work/theirs" shared
}

# The program in the README is the one in examples/, compiles without a warning, and does its work
# as far as nobody answers: it must say why.
readme() {
    sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '1d;$d' > "$work/readme.c"
    diff -u "$root/c-tests/examples/readme.c" "$work/readme.c" || return 1
    $cc $flags -I"$prefix/include" -o "$work/readme" "$work/readme.c" -L"$lib" -ls3fast -Wl,-rpath,"$lib" || return 1
    AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b timeout 60 "$work/readme" http://127.0.0.1:1 /bucket/key "$work/out" > "$work/said"
    [ $? -eq 1 ] && grep -q AWS_IO_SOCKET_CONNECTION_REFUSED "$work/said" || { cat "$work/said"; return 1; }
}

# Nothing that is installed names the folder it was built in.
no_strange_paths() {
    ! grep -rl --include='*.h' --include='*.cmake' --include='*.pc' --include='*.inl' -F "$root/src" "$prefix"
}

check "cmake, shared" with_cmake shared shared
check "cmake, static" with_cmake static static
check "cmake, by the names of AWS" with_cmake aws shared
check "cmake, by the names of AWS, static" with_cmake aws-static static
check "pkg-config s3fast" with_pkg_config s3fast
for name in aws-c-s3 aws-c-common aws-c-io aws-c-http aws-c-auth aws-c-cal aws-c-sdkutils aws-checksums; do
    check "pkg-config $name" with_pkg_config $name
done
check "plain cc, shared" plain_shared
check "plain cc, static" plain_static
check "in place of the nine libraries" in_their_place
check "the program in the README" readme
check "no path of the build in what is installed" no_strange_paths
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
