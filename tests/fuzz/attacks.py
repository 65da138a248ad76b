#!/usr/bin/env python3
"""Recordings that were made to harm who reads them: each is a function that returns its bytes, and with it what a
reader may take at most (seconds, MiB) and has to say of it on stderr.

  tests/fuzz/attacks.py NAME >FILE      makes one; without a name: lists them
"""
import os
import struct
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ATTACKS = []


def attack(says, seconds=10, memory=200):
    """says: a pattern that stderr must have; memory: MiB above those of the recording itself"""
    def add(make):
        ATTACKS.append((make.__name__.replace("_", "-"), make, says.encode(), seconds, memory))
        return make
    return add


def data(name):
    with open(f"{TESTS}/data/{name}.data", "rb") as f:
        return f.read()


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def auxtrace(follows):
    return record(71, struct.pack("<5Q", follows, 0, 0, 0, 0))


@attack("1 damaged record")
def trace_size_wraps_in_a_stream():
    """Following the record by its size leads back to it."""
    return data("pipe") + auxtrace(2**64 - 48)


@attack("1 damaged record|never finished")
def trace_size_wraps_in_a_file():
    good = data("chains")
    at, n = struct.unpack_from("<QQ", good, 40)
    # a killed recorder's file: data up to the end, no features
    return good[:48] + bytes(8) + good[56:72] + bytes(32) + good[104:at + n] + auxtrace(2**64 - 48)


def main():
    for name, make, *_ in ATTACKS:
        if len(sys.argv) < 2:
            print(name, make.__doc__ or "", sep="\t")
        elif name == sys.argv[1]:
            sys.stdout.buffer.write(make())


if __name__ == "__main__":
    main()
