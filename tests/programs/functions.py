"""functions.py OUT SYMBOLS PROGRAM: a recording with a sample at the start of functions (some thousand at most)
that SYMBOLS tells of, in a map of PROGRAM."""
import struct
import subprocess
import sys

out, symbols, program = sys.argv[1:]
run = lambda *command: subprocess.run(command, check=True, capture_output=True, text=True).stdout
code = [line.replace("R E", "RE").split() for line in run("readelf", "-lW", symbols).splitlines() if line.strip().startswith("LOAD")]
offset, start, size = [(int(w[1], 16), int(w[2], 16), int(w[4], 16)) for w in code if "E" in w[6]][0]
lines = [line.split(None, 2) for line in run("nm", "-n", symbols).splitlines()]
places = sorted({int(w[0], 16) for w in lines if len(w) == 3 and w[1] in "tTwW"})


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


mmap = struct.pack("<IIQQQIIQQII", 7, 7, start, size, offset, 0, 0, 0, 0, 5, 2) + program.encode() + b"\0"
records = record(3, 0, struct.pack("<II16s", 7, 7, b"x")) + record(10, 2, mmap)
for place in places[:: len(places) // 4000 + 1]:
    if start <= place < start + size:
        records += record(9, 2, struct.pack("<QII", place, 7, 7))
attr = struct.pack("<IIQQQQ", 1, 128, 0, 4000, 3, 0).ljust(128, b"\0") + bytes(16)
with open(out, "wb") as f:
    f.write(b"PERFILE2" + struct.pack("<QQQQQQ", 104, 144, 104, 144, 248, len(records)).ljust(96, b"\0") + attr + records)
