"""Recordings that were damaged afterwards: no reader crashes, hangs or swells, damage of the structure is told."""
import glob
import os
import re
import struct

from faults import EVENT, PERF, PROGRAMS, REF, TESTS, fault


@fault("mutated recordings", short=110, long=10000)
def mutated(t):
    files = sorted(glob.glob(TESTS + "/data/*.data"))
    each = -(-t.rounds // len(files))
    # other mutations than those of the suite `fuzz`, which begin with 0
    status, text, err = t.run([TESTS + "/fuzz/run", "-n", each, "--first", 1000, *files], limit=7200)
    t.check(status == 0, f"status {status}: {text}{err}")
    n = sum(int(m) for m in re.findall(r"^ok \d+ - (\d+) mutations", text, re.M))
    t.check(n >= t.rounds, text)
    t.tried += n
    t.seen["read by report, script and evlist without crash, hang or silence"] += n


@fault("bits flipped in the data", short=30, long=1000)
def flips(t):
    for name, how in (("plain", []), ("zip", ["-z"])):
        status, _, err = t.run([PERF, "record", "-o", name, *EVENT, *how, PROGRAMS + "/ticks", "log", "1500", "100"])
        t.check(status == 0, err)
        status, _, err = t.run([PERF, "script", "-i", name])
        t.check(status == 0 and not err, f"a good file: {status}: {err}")
        if os.path.exists(REF):  # the checksums are nothing that others trip over
            status, _, err = t.run([REF, "inject", "-b", "-i", name, "-o", "injected"])
            t.check(status == 0, f"perf 6.1's inject of it: {status}: {err}")

    def once(n):
        with open(t.path(("plain", "zip")[n % 2]), "rb") as f:
            data = bytearray(f.read())
        offset, size = struct.unpack_from("<QQ", data, 40)
        at = t.random.randrange(offset, offset + size)
        data[at] ^= 1 << t.random.randrange(8)
        with open(t.path(f"{n}.data"), "wb") as f:
            f.write(data)
        for words in (["report", "--stdio"], ["script"]):
            status, _, err = t.run([PERF, *words, "-i", f"{n}.data"])
            t.check(status == 3 and "not as it was written" in err, f"{words}, byte {at}: status {status}: {err}")
        os.unlink(t.path(f"{n}.data"))
        t.saw("told, status 3")
    t.each(once)
