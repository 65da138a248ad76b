#!/usr/bin/env python3
"""Damage to a perf.data file, the same for the same number.

  tests/fuzz/mutate.py FILE NUMBER >DAMAGED      (what was done goes to stderr)
"""
import random
import struct
import sys

USER_TYPE_START = 64


class Shape:
    """Where things lie in a perf.data file: just enough to aim."""

    def __init__(self, data):
        self.pipe = struct.unpack_from("<Q", data, 8)[0] == 16
        if self.pipe:
            self.start, self.end = 16, len(data)
        else:
            self.start, size = struct.unpack_from("<QQ", data, 40)
            self.end = self.start + size
        self.records = []
        at = self.start
        while at + 8 <= self.end:
            kind, _, size = struct.unpack_from("<IHH", data, at)
            if size < 8:
                break
            self.records.append((at, kind, size))
            at += size
            if kind == 66:  # tracing data follows its record
                at += (struct.unpack_from("<I", data, at - size + 8)[0] + 7) & ~7


def truncate(data, shape, rng):
    n = rng.randrange(1, len(data))
    boundary = shape.pipe and any(n == at for at, _, _ in shape.records)
    return data[:n], f"cut to {n} bytes", not boundary


def bit_flips(data, shape, rng):
    out, where = bytearray(data), []
    for _ in range(rng.choice((1, 1, 2, 8, 40))):
        at, bit = rng.randrange(len(out)), rng.randrange(8)
        out[at] ^= 1 << bit
        where.append(f"{at}.{bit}")
    return bytes(out), "bits flipped: " + " ".join(where), False


def short_flips(data, shape, rng):
    out, where = bytearray(data), []
    for _ in range(rng.choice((1, 2, 4))):
        at = rng.randrange(len(out) // 2) * 2
        out[at] ^= 0xff
        out[at + 1] ^= 0xff
        where.append(str(at))
    return bytes(out), "16 bits flipped at " + " ".join(where), False


def header(data, shape, rng):
    """A field of the file header becomes impossible (in a pipe: of the header's size)."""
    out = bytearray(data)
    if shape.pipe:
        struct.pack_into("<Q", out, 8, rng.choice((15, 17, 1 << 40)))
        return bytes(out), "size of the pipe header changed", True
    at = rng.choice((8, 16, 24, 32, 40, 48))
    value = rng.choice((len(data) + rng.randrange(1, 1 << 20), (1 << 63) + 5, (1 << 32) + 1, 3))
    struct.pack_into("<Q", out, at, value)
    return bytes(out), f"header at {at} = {value:#x}", True


def features(data, shape, rng):
    """A bit, an offset or a size of the table of features changes."""
    out = bytearray(data)
    if shape.pipe:
        return bit_flips(data, shape, rng)
    entries = sum(bin(bits).count("1") for bits in struct.unpack_from("<4Q", data, 72))
    entry = shape.end + rng.randrange(10) % max(1, entries) * 16
    field = entry + rng.choice((0, 8))
    if not entries or entry + 16 > len(out):
        return bit_flips(data, shape, rng)
    struct.pack_into("<Q", out, field, rng.choice((len(data) + 1, 1 << 62, (1 << 64) - 8)))
    # where a feature without content lies does not matter
    matters = field != entry or struct.unpack_from("<Q", data, entry + 8)[0] != 0
    return bytes(out), f"table of features at {field} changed", matters


def record_size(data, shape, rng):
    """A record's size becomes less than its header, or more than the file."""
    out = bytearray(data)
    at, kind, size = rng.choice(shape.records)
    value = rng.choice((0, 4, 7))
    struct.pack_into("<H", out, at + 6, value)
    return bytes(out), f"size of the record at {at} = {value}", True


def zeroes(data, shape, rng):
    """A stretch of records is zero, as after a disk's failure."""
    out = bytearray(data)
    at, kind, size = rng.choice(shape.records)
    n = min(rng.choice((64, 512, 4096)), shape.end - at)
    out[at:at + n] = bytes(n)
    return bytes(out), f"{n} zero bytes at {at}", True


def noise(data, shape, rng):
    out = bytearray(data)
    at = rng.randrange(shape.start, shape.end)
    n = min(rng.choice((16, 256)), shape.end - at)
    out[at:at + n] = rng.randbytes(n)
    return bytes(out), f"{n} random bytes at {at}", False


def swapped(data, shape, rng):
    """Two stretches of the data change places."""
    out = bytearray(data)
    n = min(64, (shape.end - shape.start) // 4)
    a, b = (rng.randrange(shape.start, shape.end - n) for _ in range(2))
    out[a:a + n], out[b:b + n] = out[b:b + n], out[a:a + n]
    return bytes(out), f"{n} bytes at {a} and {b} swapped", False


KINDS = (truncate, bit_flips, short_flips, header, features, record_size, zeroes, noise, swapped)


def mutate(data, number):
    """-> (damaged bytes, what was done, whether it must be reported)"""
    rng = random.Random(number)
    shape = Shape(data)
    return KINDS[number % len(KINDS)](data, shape, rng)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as f:
        damaged, what, _ = mutate(f.read(), int(sys.argv[2]))
    sys.stderr.write(what + "\n")
    sys.stdout.buffer.write(damaged)
