#!/usr/bin/env python3
"""hostile.py INCLUDE_DIR > hostile.c: a C program that calls every exported core function with
arguments no caller should pass, each call in a process of its own. Nothing may crash or hang.

 null      every pointer NULL, every number 0, every cursor empty
 absurd    every pointer NULL, every number the largest, every cursor {SIZE_MAX, NULL}
 stranger  every handle a block of memory that another library might have made; the rest NULL

The functions and their arguments come from the pinned prototypes, so a new export is held as soon as
it is declared. Functions that are meant to end or to stop the program are named below."""
import os
import re
import sys

include = sys.argv[1]
facts = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "abi")
core = {"samples", "samples-private", "benchrunner", "awscrt-python", "mountpoint", "public-s3",
        "sdk-cpp"}
# Meant to end the program; and an inline of the headers, which is the caller's own code.
ENDS = {"aws_fatal_assert", "aws_atomic_load_int"}
# Handles: types C cannot look into, so that a stranger's can be told from ours.
handles = set()
for line in open(os.path.join(facts, "opaque.tsv")):
    handles.add(line.split("\t")[0])
handles -= {"hash_table_state", "aws_channel"}

wanted = {}
for line in open(os.path.join(facts, "symbols.tsv")):
    symbol, kind, _, header, consumers = line.rstrip("\n").split("\t")
    if kind == "function" and core & {c.strip() for c in consumers.split(",")}:
        wanted[symbol] = header
text = open(os.path.join(facts, "signatures.md")).read()
protos = {}
for line in re.findall(r"^(?!typedef).*\);.*$", text, re.M):
    match = re.search(r"\b(aws_\w+)\s*\(", line)
    if match and match.group(1) in wanted:
        protos.setdefault(match.group(1), line.split("/*")[0].strip())


def arguments(proto, name):
    rest = proto[proto.index(name) + len(name):].strip()
    rest = rest[rest.index("(") + 1:rest.rindex(")")]
    depth, parts, part = 0, [], ""
    for c in rest:
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
            continue
        depth += (c == "(") - (c == ")")
        part += c
    parts.append(part.strip())
    return [] if parts in (["void"], [""]) else parts


def kind_of(argument):
    """(C type, what it is)"""
    if argument == "...":
        return "", "rest"
    if "(*" in argument:
        return "", "function"
    words = re.match(r"(.*?)(\**)\s*(\w+)?(\[\d*\])?$", argument)
    base, stars, name, array = words.groups()
    base = base.strip()
    if not stars:
        base = base.removeprefix("const ")
    if stars or array:
        return f"{base} *", "pointer"
    if base.startswith("struct "):
        return base, "struct"
    # A function type as an argument is a pointer to one.
    if base.endswith(("_fn", "_callback")):
        return base, "function"
    return base, "number"


out = [f"#include <{h}>" for h in sorted(
    os.path.relpath(os.path.join(d, f), include)
    for d, _, fs in os.walk(include) for f in fs if f.endswith(".h"))]
out.append(r'''
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__GNUC__)
#    pragma GCC diagnostic ignored "-Wnonnull"
#    pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

/* A block that starts like somebody else's object: pointers, counts, text. */
static uint64_t s_stranger[512];
static int s_passed, s_failed;

static void s_fill(void) {
    for (size_t i = 0; i < 512; ++i) {
        s_stranger[i] = i % 3 == 0 ? (uintptr_t)&s_stranger[i % 64] : i % 3 == 1 ? 1 : 0x6f6c6c6548;
    }
}

static void s_run(const char *name, const char *how, void (*call)(void)) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(20);
        call();
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        ++s_passed;
        return;
    }
    ++s_failed;
    if (WIFSIGNALED(status)) {
        printf("FAILED: %s (%s): %s\n", name, how, strsignal(WTERMSIG(status)));
    } else {
        printf("FAILED: %s (%s): exit %d\n", name, how, WEXITSTATUS(status));
    }
}

/* The proof that a crash and a hang would be seen. */
static void s_crash(void) {
    raise(SIGSEGV);
}
static void s_planted(void) {
    int before = s_failed;
    s_run("the planted crash", "expected: the proof that one is seen", s_crash);
    if (s_failed == before + 1) {
        s_failed = before;
        ++s_passed;
    }
}
''')
declared = set()
for folder, _, files in os.walk(include):
    for file in files:
        code = re.sub(r"/\*.*?\*/", "", open(os.path.join(folder, file)).read(), flags=re.S)
        declared |= set(re.findall(r"\b(aws_\w+)\s*\(", code))
calls = []
for name in sorted(protos):
    if name in ENDS or name not in declared:
        continue
    args = [kind_of(a) for a in arguments(protos[name], name)]
    has_handle = any(k == "pointer" and t.replace("const ", "").rstrip(" *").removeprefix("struct ")
                     in handles and t.count("*") == 1 for t, k in args)
    pointers = any(k in ("pointer", "struct", "function") for _, k in args)
    if not pointers:
        continue
    for how in ("null", "absurd", "stranger"):
        if how == "stranger" and not has_handle:
            continue
        lines, values = [], []
        for index, (ctype, kind) in enumerate(args):
            bare = ctype.replace("const ", "").rstrip(" *").removeprefix("struct ")
            if kind == "rest":
                values.append("(void *)0")
            elif kind in ("function",):
                values.append("0")
            elif kind == "pointer":
                if how == "stranger" and bare in handles:
                    values.append("(void *)s_stranger")
                else:
                    values.append("0")
            elif kind == "struct":
                lines.append(f"    {ctype} a{index};\n    memset(&a{index}, 0, sizeof(a{index}));")
                if how == "absurd" and bare == "aws_byte_cursor":
                    lines.append(f"    a{index}.len = SIZE_MAX;")
                if how == "absurd" and bare == "aws_http_header":
                    lines.append(f"    a{index}.name.len = SIZE_MAX;\n"
                                 f"    a{index}.value.len = SIZE_MAX;")
                values.append(f"a{index}")
            else:
                values.append({"null": "0", "stranger": "0"}.get(
                    how, "1" if ctype == "bool" else f"({ctype})-1" if "enum" not in ctype
                    else f"({ctype})0x7fffffff"))
        function = f"s_{how}_{name}"
        body = "\n".join(lines)
        out.append(f"static void {function}(void) {{\n{body}\n    (void){name}({', '.join(values)});\n}}"
                   if "void " not in protos[name].split(name)[0] or "*" in protos[name].split(name)[0]
                   else f"static void {function}(void) {{\n{body}\n    {name}({', '.join(values)});\n}}")
        calls.append((name, how, function))
out.append("int main(void) {\n    s_fill();\n    s_planted();")
out += [f'    s_run("{n}", "{h}", {f});' for n, h, f in calls]
out.append('    printf("%d passed, %d failed\\n", s_passed, s_failed);\n'
           '    return s_failed != 0;\n}')
print("\n".join(out))
if len(calls) < int(os.environ.get("CALLS_MIN", "300")):
    sys.exit(f"only {len(calls)} calls: the tables were not read")
