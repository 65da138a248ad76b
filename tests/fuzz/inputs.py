"""What the fuzzers begin with."""
import glob
import os
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Recordings of counts, made by tests/data/make-stat.
EVENTS = "{ cycles=3e9 instructions=4e9 } task-clock=9e8/1e9/5e8 power/energy-pkg/=1e9;cpus=0 msr/tsc/=none"
MADE = {"stat-all": "--shape 2:2:2:2 --aggr core " + EVENTS, "stat-rounds": "--interval 10 --rounds 4 " + EVENTS,
        "stat-tasks": "--cpus any --threads 5:ab,6:cd --aggr thread " + EVENTS, "stat-pipe": "--pipe " + EVENTS,
        "stat-swapped": "--swap --map mask --shape 1:1:40:1 --nodes die " + EVENTS}


def made(box):
    """-> the paths of recordings of counts, made there"""
    out = []
    for name, line in MADE.items():
        out.append(os.path.join(box, name + ".data"))
        subprocess.run([TESTS + "/data/make-stat", "-o", out[-1]] + line.split(), check=True)
    return out


def recordings(box):
    return sorted(glob.glob(TESTS + "/data/*.data") + glob.glob(TESTS + "/data/leaks/*.data")
                  + glob.glob(TESTS + "/data/allocators/*.data")) + made(box)


def hostile(box):
    """-> the paths of files that are made to take for ever, in a size that is mutated quickly"""
    sys.path.insert(0, TESTS + "/faults")
    import elf
    from elf import frames

    def file(name, *sections, **how):
        return elf.write(os.path.join(box, name), sections, **how)

    body = elf.cie()
    circle = b"\x10" + b"\x80" * 400 + b"\x00\x13\x2f" + (-405).to_bytes(2, "little", signed=True)
    return [file("letters", (b".eh_frame", 1, 2, frames(20, b"z" + b"S" * 3000))),
            file("sections", (b".eh_frame", 1, 2, frames(20)), shnum=0, first=(1 << 40, 0)),
            file("notes", (b".note", 7, 0, bytes(4096)), segments=[(elf.LOAD, 5, 0, 0, 8192), *[(4, 4, 1024, 0, 4096)] * 8]),
            file("steps", (b".eh_frame", 1, 2, body + elf.fde(len(body), 0, 1 << 40, bytes(40000)))),
            file("circle", (b".eh_frame", 1, 2, body + elf.fde(len(body), 0, 1 << 20,
                                                             b"\x0f" + elf.uleb(len(circle)) + circle))),
            file("packed", (b".debug_frame", 1, elf.COMPRESSED, elf.packed(bytes(20 << 20)))),
            file("go", (b".go.buildinfo", 1, 2, b"x"), (b".text", 1, 6, bytes(16)), (b".rodata", 1, 2, b"\xf1\xff\xff\xff" * 2000))]


def of(kind, box):
    """-> the paths of a parser's inputs"""
    own = sorted(glob.glob(f"{TESTS}/fuzz/{kind}/*"))
    return own + (recordings(box) if kind == "recording" else hostile(box) if kind == "unwind" else [])
