#!/usr/bin/env python3
"""fields.py INCLUDE_DIR FACTS_DIR: a C program that names every field of every public struct in an
initialiser, nested and anonymous ones too, as callers' code does with the option structs. Its values
differ from zero where a field can hold one, and main() reads them back. The fields come from the
pinned table, so a field that is missing or has another name or kind does not compile."""
import os
import re
import subprocess
import sys

include, facts = sys.argv[1], sys.argv[2]
text = subprocess.run(["grep", "-rhE", r"^(struct|union) \w+ \{", include], capture_output=True,
                      text=True).stdout
declared = set(re.findall(r"^(?:struct|union) (\w+) \{", text, re.M))

kinds, fields = {}, {}
for line in open(os.path.join(facts, "layouts.tsv")):
    name, a, b, c = line.rstrip("\n").split("\t")
    if "." not in name:
        kinds[name] = a
        continue
    owner, field = name.split(".", 1)
    fields.setdefault(owner, []).append((field, c))


def value(kind):
    """An initialiser for a C type, and whether main() can compare the field with `1`."""
    if "{anonymous}" in kind:
        return None, False
    if kind.endswith("]"):
        return "{0}", False
    if "(*" in kind or kind.endswith("*") or kind.endswith("*const") or kind.endswith("_fn *"):
        return "0", False
    if kind.startswith(("struct ", "union ")):
        return "{0}", False
    if kind.startswith("enum "):
        return f"({kind})1", True
    if kind in ("bool", "_Bool"):
        return "true", True
    if kind.startswith(("pthread_", "FILE")):
        return None, False
    return "1", True


out = [f"#include <{h}>" for h in sorted(
    os.path.relpath(os.path.join(d, f), include)
    for d, _, fs in os.walk(include) for f in fs if f.endswith(".h"))]
out += ["", '#pragma GCC diagnostic ignored "-Wmissing-braces"',
        '#pragma GCC diagnostic ignored "-Wmissing-field-initializers"',
        "int main(void);", "int main(void) {", "    int wrong = 0;"]
count = 0
for owner in sorted(fields):
    if kinds.get(owner) != "struct" or owner not in declared:
        continue
    tree, checks = [], []
    nested = {}
    for field, kind in fields[owner]:
        if "." in field:
            outer, inner = field.split(".", 1)
            nested.setdefault(outer, []).append((inner, kind))
    for field, kind in fields[owner]:
        if "." in field:
            continue
        if "{anonymous}" in kind:
            inner = nested.get(field, [])
            if "union" in kind:
                inner = inner[:1]
            parts = []
            for name, k in inner:
                text, can = value(k)
                if text is None or "." in name:
                    continue
                parts.append(f".{name} = {text}")
                if can:
                    checks.append(f"{field}.{name}")
            if parts:
                tree.append(f".{field} = {{{', '.join(parts)}}}")
            count += len(parts)
            continue
        text, can = value(kind)
        if text is None:
            continue
        tree.append(f".{field} = {text}")
        count += 1
        if can:
            checks.append(field)
    out.append("    {")
    out.append(f"        struct {owner} value = {{")
    out += [f"            {line}," for line in tree]
    out.append("        };")
    out += [f"        wrong += (int)value.{c} != 1;" for c in checks] or []
    out.append("        (void)value;")
    out.append("    }")
out += ["    return wrong;", "}"]
print("\n".join(out))
print(f"{count} fields", file=sys.stderr)
if count < int(os.environ.get("FIELDS_MIN", "400")):
    sys.exit("too few fields: the headers or the table were not read")
