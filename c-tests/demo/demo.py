"""The demo: files to a real S3 server and back, through the example program in C.

Starts the S3 server of the tests on a free port (it checks every signature), copies files up and
down with s3fast-cp, and compares digests. The last line is `demo: verified N objects, B bytes`.
Needs nothing but Python's own library.
"""

import argparse
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "examplesecret"}
BUCKET = "demo"
# Key and size. The names are ones that programs get wrong: each is a name as it stands.
SMALL = [
    ("empty", 0),
    ("one byte", 1),
    ("with spaces and 'quotes'.txt", 1000),
    ("unicode-\u00e4\u00f6\u00fc-\u65e5\u672c\u8a9e-\U0001f600", 4096),
    ("a//b", 5000),
    ("plus+and&equals=", 12345),
    ("%41", 777),
    ("A", 778),  # not the same object as %41
    ("tilde~(brackets)[!]*", 65536),
    ("question?and#hash", 65537),
    ("deep/er/and/deeper/file.bin", 300000),
]


class Failed(Exception):
    pass


def fill(path, size, seed):
    """Random bytes, made fast: a block that changes a little from one to the next."""
    digest = hashlib.sha256()
    block = bytearray(random.Random(seed).randbytes(min(size, 4 << 20)))
    number = 0
    with open(path, "wb") as f:
        while size:
            n = min(size, len(block))
            block[: min(8, n)] = number.to_bytes(8, "little")[: min(8, n)]
            piece = memoryview(block)[:n]
            f.write(piece)
            digest.update(piece)
            size -= n
            number += 1
    return digest.hexdigest()


def digest_of(path):
    with open(path, "rb") as f:
        digest = hashlib.sha256()
        while piece := f.read(1 << 20):
            digest.update(piece)
        return digest.hexdigest()


def start_server(program, root):
    server = subprocess.Popen(
        [program, "--root", root, "--bucket", BUCKET],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    line = server.stdout.readline()
    if not line.startswith("endpoint "):
        server.kill()
        raise Failed(f"the server did not start: {line!r}")
    return server, line.split()[1]


def copy(program, endpoint, source, target, keys=KEYS):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")} | keys
    # A hang is a fault, not something to wait for.
    return subprocess.run(
        [program, "--endpoint", endpoint, "--", source, target],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def must_copy(*args):
    done = copy(*args)
    found = re.search(r"(\d+) bytes in .* s, ([\d.]+) Gb/s, peak memory ([\d.]+) MiB", done.stdout)
    if done.returncode != 0 or not found:
        raise Failed(f"{args[2]} -> {args[3]}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return int(found[1]), float(found[2]), float(found[3])


def check_failure(program, endpoint, folder):
    """A wrong key has to be told, or the digests above prove little."""
    target = folder / "never"
    done = copy(program, endpoint, f"s3://{BUCKET}/empty", str(target), KEYS | {"AWS_SECRET_ACCESS_KEY": "wrong"})
    if done.returncode != 1 or "SignatureDoesNotMatch" not in done.stderr or list(folder.glob("never*")):
        raise Failed(f"a wrong secret key was not told: status {done.returncode}\n{done.stderr}")
    print("a wrong secret key is refused:", done.stderr.strip().split("; ")[-1])


def demo(program, server_program, folder, large):
    objects = [(f"{large >> 20} MiB.bin", large)] + SMALL
    up, down = folder / "up", folder / "down"
    for one in (up, down, folder / "server"):
        one.mkdir()
    server, endpoint = start_server(server_program, str(folder / "server"))
    count = total = 0
    rates = {"up": 0.0, "down": 0.0}
    peak = 0.0
    try:
        print(f"server: {endpoint}, bucket {BUCKET}")
        for number, (key, size) in enumerate(objects):
            # The key has the odd name; files are called by number, as not every name is a file's.
            source, target = up / str(number), down / str(number)
            want = fill(source, size, number)
            remote = f"s3://{BUCKET}/{key}"
            sent = must_copy(program, endpoint, str(source), remote)
            got = must_copy(program, endpoint, remote, str(target))
            have = digest_of(target)
            if have != want or target.stat().st_size != size or sent[0] != size or got[0] != size:
                raise Failed(f"{remote}: sent {size} bytes {want}, got {target.stat().st_size} bytes {have}")
            if size == large:
                rates = {"up": sent[1], "down": got[1]}
            peak = max(peak, sent[2], got[2])
            print(f"  {size:>10} bytes  sha256 {want[:16]}  {key}")
            count += 1
            total += size
            source.unlink()
            target.unlink()
        check_failure(program, endpoint, down)
        if server.poll() is not None:
            raise Failed(f"the server ended by itself with status {server.returncode}")
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
    print(f"{large >> 20} MiB: up {rates['up']:.2f} Gb/s, down {rates['down']:.2f} Gb/s; peak RSS {peak:.1f} MiB")
    print(f"demo: verified {count} objects, {total} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="the folder with s3fast-cp")
    parser.add_argument("--mib", type=int, default=512, help="size of the large file")
    options = parser.parse_args()
    program = str(pathlib.Path(options.build).resolve() / "s3fast-cp")
    server_program = str(ROOT / "c-tests/server/target/release/s3fast-test-server")
    for one in (program, server_program):
        if not os.access(one, os.X_OK):
            print(f"demo: {one} is not there: `make demo` builds it", file=sys.stderr)
            return 1
    large = options.mib << 20
    # The file, the object, the file that came back, and room for the parts.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="s3fast-demo-"))
    try:
        free = shutil.disk_usage(folder).free
        if free < 4 * large + (64 << 20):
            print(f"demo: {folder} has only {free >> 20} MiB free; set TMPDIR", file=sys.stderr)
            return 1
        demo(program, server_program, folder, large)
    except (Failed, subprocess.TimeoutExpired) as e:
        print(f"demo: FAILED: {e}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


sys.exit(main())
