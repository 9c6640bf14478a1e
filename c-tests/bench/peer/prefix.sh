#!/bin/sh
# prefix.sh TARGET_DIR: builds the reference and prints the folder that holds its include/ and lib/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CARGO_TARGET_DIR=$1 cargo build --release --quiet --locked --manifest-path "$here/Cargo.toml" --message-format json |
    python3 -c '
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m.get("reason") == "build-script-executed" and "mountpoint-s3-crt-sys" in m["package_id"]:
        print(m["out_dir"] + "/target")
        break
else:
    sys.exit("the build of the reference names no folder")
for line in sys.stdin: pass
'
