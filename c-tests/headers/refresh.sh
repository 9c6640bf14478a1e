#!/bin/sh
# Writes include/ anew from what build.rs makes of the sources.
set -eu
cd "$(dirname "$0")/../.."
out=$(${CARGO:-cargo} check --quiet --lib --message-format=json |
    sed -n 's/.*"reason":"build-script-executed","package_id":"[^"]*[/#]s3fast[@#][^"]*".*"out_dir":"\([^"]*\)".*/\1/p' |
    tail -1)
if [ -z "$out" ] || [ ! -f "$out/include/aws/common/common.h" ]; then
    echo "the build made no headers" >&2
    exit 1
fi
rm -rf include
cp -R "$out/include" include
echo "include/: $(find include -type f | wc -l) headers"
