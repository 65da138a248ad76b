"""Programs that are hostile to their profiler: what they map as code is cut short while it is read, or made so that
reading it takes for ever or all memory. A recorder ends when it is told to, with bounded memory, and says so of the file."""
import glob
import lzma
import os
import shutil
import signal
import time
import zlib

import elf
from cut import cost, record
from elf import frames
from faults import PERF, PROGRAMS, fault

MEMORY = 700 << 20  # with rings, and what waits while a file is opened
PATIENCE = 100      # seconds for what takes a fraction of one, on a busy machine; without a bound it would take hours
TEXT = 1 << 20


def letters(path):
    """Each function's CIE has a million letters."""
    return elf.write(path, [(b".eh_frame", 1, 2, frames(200000, b"z" + b"S" * 1000000))])


def functions(path):
    """More functions than any program has."""
    return elf.write(path, [(b".eh_frame", 1, 2, frames(3 << 20))])


def sections(path):
    """8 KB on the disk, eight million sections."""
    return elf.write(path, [(b".eh_frame", 1, 2, frames(2))], size=1 << 29, shnum=0, first=(1 << 40, 0))


def sparse(path):
    """8 KB on the disk, 2^34 sections in 2^40 bytes."""
    return elf.write(path, [(b".eh_frame", 1, 2, frames(2))], size=1 << 40, shnum=0, first=(1 << 40, 0))


def notes(path):
    """Ten times half a gigabyte of notes of no size."""
    return elf.write(path, [(b".eh_frame", 1, 2, frames(2)), (b".note", 7, 0, b"", 1 << 29)], size=1 << 30,
                     segments=[(elf.LOAD, 5, 0, 0, TEXT), *[(elf.PT_NOTE, 4, 1 << 29, 0, 1 << 29)] * 10])


def packed(path):
    """A little .debug_frame that expands to much."""
    body = elf.cie(debug=True) + elf.fde(0, 0, 16, debug=True) * 30000
    whole = body * (120000000 // len(body))
    return elf.write(path, [(b".debug_frame", 1, elf.COMPRESSED, elf.packed(whole))], size=TEXT)


def embedded(path):
    """A little .gnu_debugdata that expands to much."""
    whole = lzma.compress(bytes(120000000), preset=1)
    return elf.write(path, [(b".gnu_debugdata", 1, 0, whole)], size=TEXT)


def gzipped(path):
    """No program at all, but something that could be unpacked."""
    z = zlib.compressobj(1, wbits=31)
    with open(path, "wb") as f:
        f.write(z.compress(bytes(400000000)) + z.flush())
    os.chmod(path, 0o755)
    return path


def steps(path):
    """A function whose rules take 16 million steps at each of its addresses."""
    body = elf.cie()
    return elf.write(path, [(b".eh_frame", 1, 2, body + elf.fde(len(body), 0, 1 << 40, bytes(16 << 20)))], size=32 << 20)


def expressions(path):
    """A rule whose expression runs in a circle over numbers of 60,000 digits."""
    circle = b"\x10" + b"\x80" * 30000 + b"\x00\x13" + b"\x2f" + (-(30000 + 6)).to_bytes(2, "little", signed=True)
    body = elf.cie()
    return elf.write(path, [(b".eh_frame", 1, 2, body + elf.fde(
        len(body), 0, TEXT, b"\x0f" + elf.uleb(len(circle)) + circle))], size=TEXT)


def go(path):
    """Half a gigabyte in which a table of Go's may lie anywhere."""
    return elf.write(path, [(b".go.buildinfo", 1, 2, b"x"), (b".text", 1, 6, bytes(16)), (b".rodata", 1, 2, b"", 1 << 29)],
                     size=1 << 30, segments=[(elf.LOAD, 5, 0, 0, TEXT)])


# The files, and what is said of them.
TOLD = "'{}': too much work to read, its frames are not unwound"
ATTACKS = {letters: None, functions: TOLD, sections: TOLD, sparse: "a program or library that cannot be read", notes: None,
           packed: TOLD, embedded: None, gzipped: None, steps: TOLD, expressions: None, go: None}


def attack(make, says):
    name = make.__name__

    def test(t):
        for n in range(t.rounds):
            files = [make(t.path(f"{name}-{n}.so"))]
            files += [shutil.copy(files[0], t.path(f"{name}-{n}-{k}.so")) for k in range(3)] if name == "packed" else []
            status, took, peak, text, data = record(t, name, [PROGRAMS + "/hostile", "600", *files], 1.5, term=True)
            t.check(took < PATIENCE, f"it took {took:.1f} s to end: {text}")
            t.check(status == -signal.SIGTERM, f"status {status}: {text}")
            t.check(peak < MEMORY, f"{peak >> 20} MB: {text}")
            t.check("Captured and wrote" in text, text)
            if says:
                t.check(all(says.format(f) in text for f in files), f"{says.format(files[0])} is not in: {text}")
            for words in (["report", "--stdio", "--no-children"], ["script"]):
                p = t.start([PERF, *words, "-i", data], stdout=open(t.path("read"), "wb"))
                since = time.monotonic()
                got, peak = cost(p)
                t.check(got in (0, 3), f"{words}: status {got}")
                t.check(time.monotonic() - since < PATIENCE, f"{words}: {time.monotonic() - since:.1f} s")
                t.check(peak << 10 < MEMORY, f"{words}: {peak >> 10} MB")
            t.saw("told, ended when asked to" if says else "read as far as is sensible, ended when asked to")
            for f in files:
                os.unlink(f)
    return test


for make, says in ATTACKS.items():
    fault(f"a hostile file, {make.__name__}", short=1, long=3)(attack(make, says))
