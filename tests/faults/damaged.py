"""Recordings that were damaged afterwards: no reader crashes, hangs or swells, damage of the structure is told."""
import glob
import re

from faults import TESTS, fault


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
