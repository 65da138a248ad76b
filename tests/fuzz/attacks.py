#!/usr/bin/env python3
"""Recordings that were made to harm who reads them: each is a function that returns its bytes, and with it what a
reader may take at most (seconds, MiB) and has to say of it on stderr.

  tests/fuzz/attacks.py NAME >FILE      makes one; without a name: lists them
"""
import ctypes
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


def bomb(records):
    """These in COMPRESSED records, behind the events of a stream: a few KB become gigabytes."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int)
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(len(records) // 50)
    n = zstd.ZSTD_compress(room, len(room), records, len(records), 1)
    packed = room.raw[:n]
    head, at = data("pipe"), 16
    while struct.unpack_from("<I", head, at)[0] == 64:
        at += struct.unpack_from("<H", head, at + 6)[0]
    return head[:at] + b"".join(record(81, packed[i:i + 32768]) for i in range(0, len(packed), 32768))


@attack("expands? without end")
def forks_that_expand():
    """A million processes, of 5 KB."""
    return bomb(record(7, struct.pack("<4IQ", 7, 1, 7, 1, 1) + bytes(24)) * 1000000)


@attack("expands? without end", memory=100)
def comms_that_expand():
    """Names that change again and again."""
    return bomb((record(3, struct.pack("<II8s", 7, 7, b"a") + bytes(24)) +
                 record(3, struct.pack("<II8s", 7, 7, b"b") + bytes(24))) * 1000000)


def main():
    for name, make, *_ in ATTACKS:
        if len(sys.argv) < 2:
            print(name, make.__doc__ or "", sep="\t")
        elif name == sys.argv[1]:
            sys.stdout.buffer.write(make())


if __name__ == "__main__":
    main()
