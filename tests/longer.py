#!/usr/bin/env python3
"""tests/longer.py FILE OUT MIB: a recording of so many MiB, in which the samples of a recording come again and again.

The records that are no samples stand in it once, and features do not.
"""
import struct
import sys

SAMPLE = 9


def records(data):
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + size]
        at += size


def longer(data, size):
    """Records, and the samples among them again and again, in parts; and how many bytes they are."""
    samples = b"".join(bytes for kind, bytes in records(data) if kind == SAMPLE)
    times = size // len(samples)
    return [data] + [samples] * times, len(data) + len(samples) * times


def longer_file(path, out, size):
    with open(path, "rb") as f:
        old = f.read()
    at, n = struct.unpack_from("<QQ", old, 40)
    parts, n = longer(old[at:at + n], size)
    with open(out, "wb") as f:
        f.write(old[:48] + struct.pack("<Q", n) + old[56:72] + bytes(32) + old[104:at])
        f.writelines(parts)


if __name__ == "__main__":
    longer_file(sys.argv[1], sys.argv[2], int(sys.argv[3]) << 20)
