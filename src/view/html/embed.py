#!/usr/bin/env python3
"""embed.py OUTPUT HEAD PAGE STYLE SCRIPT...: a C header with the bytes of a page, its style and its scripts.
Comments that only help a reader of the source are left out."""
import re
import sys


def literal(name, text):
    lines = [f"static const char {name}[] ="]
    for line in text.splitlines(keepends=True):
        # A literal may have 4095 characters at least; no line is that long.
        line = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("??", "?\\?")
        lines.append(f'\t"{line}"')
    return "\n".join(lines) + ";\n"


def lean(text):
    text = re.sub(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", "", text, flags=re.S | re.M)
    text = re.sub(r"^[ \t]*//.*\n", "", text, flags=re.M)
    text = re.sub(r"/\*\* @type.*?\*/ ", "", text)
    return re.sub(r"^[ \t]+", "", re.sub(r"\n{2,}", "\n", text), flags=re.M)


output, head, page, style, *scripts = sys.argv[1:]
read = lambda path: open(path, encoding="utf8").read()
with open(output, "w", encoding="utf8") as f:
    f.write(literal("page_html", read(head) + read(page)))
    f.write(literal("page_style", lean(read(style))))
    f.write(literal("page_script", lean("".join(read(s) for s in scripts))))
