"""Runs `check` and sorts what it says: wrong (always a failure) or missing (a failure when strict).
Then holds the exports against symbols.txt, proves on a changed header that check sees a wrong fact,
and counts the symbols that are done, that wait for a capability, and that are refused."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
include, library = sys.argv[1], sys.argv[2]
strict = "strict" in sys.argv[3:]
passed, failed = 0, 0


def result(ok, text):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("FAILED:", text)


def check(folder, lib):
    run = subprocess.run([sys.executable, os.path.join(here, "check"), folder, lib, "core"],
                         capture_output=True, text=True, env=dict(os.environ, SHOW="100000"))
    return run.returncode, run.stdout.splitlines()


def exports(lib):
    text = subprocess.run(["nm", "-D", "--defined-only", lib], capture_output=True, text=True,
                          check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip()}


words = set()
for folder, _, files in os.walk(include):
    for file in files:
        words |= set(re.findall(r"\w+", open(os.path.join(folder, file)).read()))

code, lines = check(include, library)
wrong = [l for l in lines if l.startswith("wrong: ")]
declared, missing = [], []
for line in wrong:
    name = line[len("wrong: "):]
    (declared if name.split(".")[0] in words else missing).append(name)
errors = [l for l in lines if l.startswith("error: ")]
prototypes = [l for l in lines if l.startswith("prototype: ")]
bad = [p for p in prototypes if re.search(r"(\w+)\s*\(", p.split(": ", 1)[1])
       and re.search(r"\b(aws_\w+)\s*\(", p).group(1) in words]
undeclared = [l for l in lines if l.startswith("exported but not declared")]
result(not declared, f"wrong facts: {' '.join(declared)}")
result(not errors, "the headers do not compile: " + " | ".join(errors[:5]))
result(not bad, "wrong prototypes: " + " | ".join(bad))
result(not undeclared, " ".join(undeclared))
if strict:
    result(code == 0, "check ends with " + str(code) + ": " + " ".join(missing[:50]))
    result(not missing and len(prototypes) == 0, "facts or prototypes are missing")

# The list a human can read, against what is exported.
ours = sorted(s for s in exports(library) if s.startswith(("aws_", "s3fast_")))
kept = open(os.path.join(here, "symbols.txt")).read().split()
result(ours == kept, "symbols.txt differs from the exports: only exported: "
       + " ".join(sorted(set(ours) - set(kept))) + "; only listed: "
       + " ".join(sorted(set(kept) - set(ours))))
others = sorted(s for s in exports(library) if not s.startswith(("aws_", "s3fast_", "_init", "_fini")))
result(not others, "exports that are not ours: " + " ".join(others))

# A header with one number changed must be seen.
with tempfile.TemporaryDirectory() as work:
    copy = os.path.join(work, "include")
    shutil.copytree(include, copy)
    path = os.path.join(copy, "aws/common/error.h")
    text = open(path).read()
    changed = re.sub(r"(AWS_ERROR_OOM = )\d+", r"\g<1>999", text)
    open(path, "w").write(changed)
    seen = "wrong: AWS_ERROR_OOM" in check(copy, "")[1]
    result(changed != text and seen, "a changed error code was not seen")

# The three states, read from the sources: a symbol waits where its body names its capability.
core = set()
groups = {"samples", "samples-private", "benchrunner", "awscrt-python", "mountpoint", "public-s3",
          "sdk-cpp"}
for line in open(os.path.join(here, "symbols.tsv")):
    symbol, _, _, _, consumers = line.rstrip("\n").split("\t")
    if groups & {c.strip() for c in consumers.split(",")}:
        core.add(symbol)
states = {}
for folder, _, files in os.walk(os.path.join(root, "src", "ffi")):
    for file in files:
        if not file.endswith(".rs"):
            continue
        text = open(os.path.join(folder, file)).read()
        for match in re.finditer(r"^pub (?:unsafe )?extern \"C(?:-unwind)?\" fn (\w+)", text, re.M):
            end = text.find("\n}\n", match.end())
            body = text[match.end():end]
            waits = re.search(r"\bwaits!\(\s*\"([^\"]+)\"", body)
            refused = re.search(r"\brefused!\(\s*\"([^\"]+)\"", body)
            states[match.group(1)] = (("waits", waits.group(1)) if waits
                                      else ("refused", refused.group(1)) if refused
                                      else ("done", ""))
exported = core & set(ours)
waiting = sorted((states[s][1], s) for s in exported if states.get(s, ("", ""))[0] == "waits")
refusing = sorted(s for s in exported if states.get(s, ("", ""))[0] == "refused")
for capability in sorted({c for c, _ in waiting}):
    print(f"waits for {capability}:", " ".join(s for c, s in waiting if c == capability))
if refusing:
    print("refused:", " ".join(refusing))
print(lines[-1] if lines else "check said nothing")
print(f"core symbols: {len(exported) - len(waiting) - len(refusing)} done, {len(waiting)} waiting, "
      f"{len(refusing)} refused, {len(core - set(ours))} missing")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
