#!/bin/sh
# install.sh DESTDIR PREFIX LIBDIR VERSION SOVERSION: what `make install` calls after the build.
# Nothing below names DESTDIR: a staged tree can be packed and unpacked at PREFIX.
set -eu
[ $# -eq 5 ] || { echo "usage: install.sh DESTDIR PREFIX LIBDIR VERSION SOVERSION" >&2; exit 2; }
destdir=$1 prefix=$2 libdir=$3 version=$4 soversion=$5
for path in "$prefix" "$libdir"; do
    case $path in /*) ;; *) echo "install.sh: $path is not absolute" >&2; exit 2 ;; esac
done
here=$(cd "$(dirname "$0")/.." && pwd)
built=$here/build/lib
include=$destdir$prefix/include
lib=$destdir$libdir
[ -f "$built/libs3fast.so" ] && [ -f "$built/libs3fast.a" ] || { echo "install.sh: run make lib first" >&2; exit 1; }

# Pinned release of each library whose surface is ours: name, version, soname, what it needs.
aliases='aws-c-common 1.0.1 1.0 -
aws-c-cal 1.0.0 1.0 aws-c-common
aws-c-sdkutils 1.0.0 1.0 aws-c-common
aws-checksums 1.0.0 1.0 aws-c-common
aws-c-io 1.0.0 1.0 aws-c-common,aws-c-cal
aws-c-http 1.0.0 1.0 aws-c-io
aws-c-auth 1.0.0 1.0 aws-c-sdkutils,aws-c-cal,aws-c-http
aws-c-s3 1.1.3 1.1 aws-c-auth,aws-c-http,aws-checksums'

# Headers, as the tree stands; ours are removed first, so that none of an older version stays.
rm -rf "$include/s3fast"
for dir in auth cal checksums common http io s3 sdkutils; do rm -rf "$include/aws/$dir"; done
(cd "$here/include" && find . -type f) | while IFS= read -r file; do
    install -D -m 644 "$here/include/$file" "$include/$file"
done

# The library. Put beside and renamed: a program that has the old one mapped keeps it.
install -d "$lib"
install -m 755 "$built/libs3fast.so" "$lib/.libs3fast.new"
mv -f "$lib/.libs3fast.new" "$lib/libs3fast.so.$version"
ln -sfn "libs3fast.so.$version" "$lib/libs3fast.so.$soversion"
ln -sfn "libs3fast.so.$soversion" "$lib/libs3fast.so"
install -m 644 "$built/libs3fast.a" "$lib/libs3fast.a"

# Programs linked with the AWS libraries run with us by LD_LIBRARY_PATH=LIBDIR/s3fast/compat.
compat=$lib/s3fast/compat
rm -rf "$compat"
install -d "$compat"
echo "$aliases
aws-c-compression 1.0.0 1.0 -" | while read -r name _ so _; do
    ln -s "../../libs3fast.so.$soversion" "$compat/lib$name.so.$so"
done

# fill FROM TO [NAME=VALUE...]: @NAME@ becomes VALUE.
fill() {
    from=$1 to=$2
    shift 2
    set -- "$@" "SOVERSION=$soversion" "PREFIX=$prefix" "LIBDIR=$pc_libdir"
    script=
    for pair; do
        value=$(printf '%s' "${pair#*=}" | sed 's/[&|\\]/\\&/g')
        script="${script}s|@${pair%%=*}@|$value|g;"
    done
    install -d "$(dirname "$to")"
    sed "$script" "$from" > "$to"
    chmod 644 "$to"
}
# Paths inside PREFIX are written relative to it: the tree may be moved as a whole.
case $libdir/ in
    "$prefix"/*) pc_libdir="\${prefix}${libdir#"$prefix"}" ;;
    *) pc_libdir=$libdir ;;
esac
major=${version%%.*}
rest=${version#*.}
minor=${rest%%.*}

cmake=$lib/cmake
fill "$here/cmake/s3fastConfig.cmake.in" "$cmake/s3fast/s3fastConfig.cmake" \
    "INCLUDE_FROM_CMAKE=$(realpath -m --relative-to="$libdir/cmake/s3fast" "$prefix/include")"
fill "$here/cmake/config-version.cmake.in" "$cmake/s3fast/s3fastConfigVersion.cmake" \
    "VERSION=$version" "MAJOR=$major" "MINOR=$minor"
pc=$lib/pkgconfig
fill "$here/cmake/s3fast.pc.in" "$pc/s3fast.pc" "NAME=s3fast" "VERSION=$version" \
    "DESCRIPTION=A fast S3 client library behind the C interface of aws-c-s3"
cat >> "$pc/s3fast.pc" <<'END'
Libs: -L${libdir} -ls3fast
Libs.private: -lpthread -ldl -lm -lgcc_s
Cflags: -I${includedir}
END

echo "$aliases" | while read -r name its_version _ needs; do
    dependencies=
    if [ "$needs" != - ]; then
        for need in $(echo "$needs" | tr , ' '); do
            dependencies="${dependencies}find_dependency($need PATHS \"\${CMAKE_CURRENT_LIST_DIR}/..\" NO_DEFAULT_PATH) "
        done
    fi
    fill "$here/cmake/alias-config.cmake.in" "$cmake/$name/$name-config.cmake" \
        "NAME=$name" "DEPENDENCIES=$(echo "$dependencies" | sed 's/) $/)/')"
    # One call on a line.
    sed 's/) find_dependency/)\nfind_dependency/g' "$cmake/$name/$name-config.cmake" > "$cmake/$name/new"
    mv "$cmake/$name/new" "$cmake/$name/$name-config.cmake"
    fill "$here/cmake/config-version.cmake.in" "$cmake/$name/$name-config-version.cmake" \
        "VERSION=$its_version" "MAJOR=1" "MINOR=0"
    fill "$here/cmake/s3fast.pc.in" "$pc/$name.pc" "NAME=$name" "VERSION=$its_version" \
        "DESCRIPTION=The interface of $name, in libs3fast"
    echo "Requires: s3fast" >> "$pc/$name.pc"
done
echo "installed s3fast $version: $include, $lib"
