#!/usr/bin/env python3
"""A folder of the files that tests/data/machines/NAME.txt describes (README.md there).

  tests/machine.py NAME FOLDER
"""
import os
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))


def make(name, folder):
    """-> the first parts of the paths: "pmu", "cpu", ..."""
    parts = set()
    with open(f"{TESTS}/data/machines/{name}.txt", encoding="utf8") as f:
        for line in f:
            if line.startswith("#"):
                continue
            path, _, text = line.rstrip("\n").partition(" ")
            parts.add(path.split("/")[0])
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf8") as out:
                out.write(text.replace("\\n", "\n").replace("\\t", "\t") + "\n")
    return parts


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    make(sys.argv[1], sys.argv[2])
