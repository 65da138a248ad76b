#!/usr/bin/env python3
"""A folder of the files that tests/data/machines/NAME.txt describes (README.md there).

  tests/machine.py NAME FOLDER
"""
import os
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))


def make(name, folder):
    """-> the first parts of the paths: "pmu", "cpu", ..."""
    with open(f"{TESTS}/data/machines/{name}.txt", encoding="utf8") as f:
        files = [line.rstrip("\n").partition(" ") for line in f if not line.startswith("#")]
    # a tmpfs lists what is newest first: folders that are made backwards are listed as the file has them
    for path, _, _ in reversed(files):
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
    for path, _, text in reversed(files):
        with open(os.path.join(folder, path), "w", encoding="utf8") as out:
            out.write(text.replace("\\n", "\n").replace("\\t", "\t") + "\n")
    return {path.split("/")[0] for path, _, _ in files}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    make(sys.argv[1], sys.argv[2])
