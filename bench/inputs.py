"""Inputs for the rows that read: recordings made here and now, with the reference, of workloads made here and now."""
import os

from measure import Failed, Skip, stubbornly
from workloads import WORKLOADS, command

LS = "ls -lR /usr/share /usr/lib"
DD = "dd if=/dev/zero of=/dev/null bs=1 count=200000"

CXX_PROGRAM = os.path.dirname(os.path.abspath(__file__)) + "/cxx-program 4 {dir}/cxx"
LARGE_PROGRAM = os.path.dirname(os.path.abspath(__file__)) + "/large-program 70 {dir}/large"

# name: how it is recorded
RECORDED = {
    "tiny": "{ref} record -F 20000 -o {out} true",
    "fp": "{ref} record -F 20000 -g -o {out} " + LS,
    "syscalls": "{ref} record -e raw_syscalls:* -m 16M -o {out} " + DD,
    "dwarf": "{ref} record -F 5000 -e cpu-clock:u --call-graph dwarf -o {out} {programs}/stacks 2",
    "lines": CXX_PROGRAM + " && {ref} record -F 999 -e cpu-clock:u --call-graph dwarf -o {out} {dir}/cxx/program 1500",
    "locks": "{ours} lock record -a -o {out} -- {ours} bench sched messaging -g 10 -l 6000 >/dev/null",
    "sched": "{ours} sched record -o {out} -- {ours} bench sched messaging -g 10 -l 2800 >/dev/null",
    "kmem": "{ours} kmem record -o {out} -- " + LS + " >/dev/null",
    "kwork": "{ours} kwork -k irq,softirq,workqueue,sched record -o {out} -- {ours} bench sched messaging -g 10 -l 2800 >/dev/null",
    "timechart": "{ours} timechart record -o {out} {ours} bench sched messaging -g 10 -l 300 >/dev/null",
    "memory": os.path.dirname(os.path.abspath(__file__)) + "/../tests/data/make-memory {out} {programs}/forks /made/program 1 20000",
    "memory-wide": os.path.dirname(os.path.abspath(__file__)) + "/../tests/data/make-memory --wide {out} {programs}/forks /made/program 1 60000",
    "large": LARGE_PROGRAM + " && {ref} record -F 999 -e cpu-clock:u -o {out} {dir}/large/program 60",
}
# name: (of what, MiB, in how many ways a quarter of the samples is made to differ: see records.c)
GROWN = {"fp-%d" % size: ("fp", size, 8) for size in (1, 4, 16, 64, 128, 256, 512, 1024, 2048)}
GROWN.update({"unique-%d" % size: ("fp", size, 1000000) for size in (1, 4, 16, 64, 256, 2048)})
GROWN.update({"syscalls-%d" % size: ("syscalls", size, 8) for size in (64, 256)})
GROWN.update({"deep-%d" % size: ("clang", size, 8) for size in (8, 66)})


class Inputs:
    def __init__(self, bench):
        self.bench, self.made = bench, {}
        self.by_ours = set()  # what the reference could not record

    def path(self, name):
        """The file of that name, made when asked for first; Skip when this machine cannot."""
        if name in self.made:
            if isinstance(self.made[name], Skip):
                raise self.made[name]
            return self.made[name]
        out = f"{self.bench.folder}/{name}.data"
        try:
            self.make(name, out)
        except Skip as why:
            self.made[name] = why
            raise
        self.made[name] = out
        return out

    def record(self, name, line, out):
        """By the reference; by ours where its recorder fails three times, and records (records.c) need not understand it."""
        grown = any(name == base for base, _, _ in GROWN.values())
        try:
            stubbornly(lambda: self.bench.shell(line, out=out), 12 if grown else 3)
        except Failed:
            if grown:
                raise
            self.bench.shell(line.replace("{ref} record", "{ours} record"), out=out)
            self.by_ours.add(name)

    def make(self, name, out):
        bench = self.bench
        if name in GROWN:
            base, size, ways = GROWN[name]
            bench.shell(f"{bench.records} grow {self.path(base)} {out} {size} {ways}")
        elif name.endswith("-ours"):
            bench.shell(f"{{ours}} inject -i {self.path(name[:-5])} -o {out}")
            self.forget(name[:-5])
        elif name in RECORDED:
            stubbornly(lambda: bench.shell(RECORDED[name], out=out))
        elif name.startswith("dw-"):
            line = command(bench, name[3:])
            stubbornly(lambda: bench.shell(f"{{ref}} record -F 999 --call-graph dwarf -o {out} {line} >/dev/null"))
        elif name.startswith("fast-"):
            line = command(bench, name[5:])
            stubbornly(lambda: bench.shell("{ours} record -F 20000 -g -o {out} " f"{line} >/dev/null", out=out))
        elif name.startswith("unwound-"):
            line = command(bench, name[8:])
            stubbornly(lambda: bench.shell("{ours} record -F 20000 --call-graph dwarf -o {out} " f"{line} >/dev/null", out=out))
        elif name.startswith("copies-"):
            # the reference must be able to read it: see README.md
            line = command(bench, name[7:])
            stubbornly(lambda: bench.shell("{ref} record -B -N -F 3000 -e cpu-clock:u --call-graph dwarf -o {out} "
                                           f"{line} >/dev/null && {{ref}} script -G -F time -i {{out}} >/dev/null", out=out))
        elif name in WORKLOADS:
            line = command(bench, name).replace("{", "{{").replace("}", "}}")
            self.record(name, "{ref} record -F 4000 -g -o {out} " + line + " >/dev/null", out)
        else:
            raise SystemExit(f"bench: no input '{name}'")

    def words(self, name):
        """{input} and what else a row's line may ask of it."""
        path = self.path(name)
        samples, _, first, last = self.bench.tally(path)
        middle, part = (first + last) // 2, (last - first) // 200
        seconds = lambda t: "%d.%09d" % divmod(t, 1000000000)
        return {"input": path, "samples": samples,
                "hundredth": f"{seconds(middle - part)},{seconds(middle + part)}"}

    def forget(self, name):
        """Large ones do not outlive the row that asked."""
        path = self.made.get(name)
        if isinstance(path, str) and os.path.getsize(path) > 300 << 20:
            os.unlink(path)
            del self.made[name]
