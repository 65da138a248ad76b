#!/usr/bin/env python3
"""embed.py FILE: its bytes as numbers, for an array of C."""
import sys

data = open(sys.argv[1], "rb").read()
for i in range(0, len(data), 24):
    print(",".join(map(str, data[i:i + 24])) + ",")
