"""What the fuzzers begin with."""
import glob
import os
import subprocess

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
    return sorted(glob.glob(TESTS + "/data/*.data")) + made(box)


def of(kind, box):
    """-> the paths of a parser's inputs"""
    own = sorted(glob.glob(f"{TESTS}/fuzz/{kind}/*"))
    return own + (recordings(box) if kind == "recording" else [])
