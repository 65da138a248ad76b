"""What recording costs the recorder and its workload, and what is lost."""
import os
import shutil
from dataclasses import dataclass

import rows
from measure import Skip
from rows import Row, Target
from workloads import WORKLOADS, command

DATA = "{dir}/r.data"
FORKS = "{programs}/forks 3000"
FEW_FORKS = "{programs}/forks 300"
SWITCHES = "{programs}/switches 40000"
LOCKING = "{programs}/mapping 4 60000"
SWITCHES_WORK = "{programs}/switches 50000 4000"
SWITCHES_SECOND = "{programs}/switches 50000 12000"
OFFCPU = os.path.join(os.path.dirname(os.path.abspath(__file__)), "offcpu.bt")
BESIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside")


@dataclass
class Workload(Row):
    """A row whose command is a workload that must be there."""
    workload: str = None
    workload_against: str = None  # where that is another one

    def measure(self, bench, inputs):
        def words(name):
            return command(bench, name).replace("{", "{{").replace("}", "}}")

        line = words(self.workload)
        self.line = self.line.replace("{workload}", line)
        if self.against:
            self.against = self.against.replace("{workload}", words(self.workload_against or self.workload))
        if self.alone:
            self.alone = self.alone.replace("{workload}", line)
        return rows.measure(bench, self, inputs)


class Stalled(Row):
    """A row that needs a disk to stop."""

    def measure(self, bench, inputs):
        if os.getuid():
            raise Skip("needs root")
        return rows.measure(bench, self, inputs)


@dataclass
class Tool(Row):
    """A row beside a tool that watches the machine with BPF programs."""
    tool: str = None

    def measure(self, bench, inputs):
        if os.getuid():
            raise Skip("needs root")
        if not shutil.which(self.tool, path=os.environ["PATH"] + ":/usr/sbin"):
            raise Skip(f"no {self.tool} here")
        return rows.measure(bench, self, inputs)


def beside(tool, package):
    """Our sums against a tool of bcc's, which watches the whole machine meanwhile."""
    return Tool(f"record-wall-sums-{tool}", f"{{ours}} record --wall=sums -o {DATA} -- {{inner}} {SWITCHES_SECOND}",
                f"the same against {tool} ({package})", against=f"{BESIDE} {tool} {{inner}} {SWITCHES_SECOND}",
                alone=SWITCHES_SECOND, tool=tool, measures=("slow",))


def recorded(name, options="-F 4000 -g", suffix="", **more):
    return Workload(f"record-{name}{suffix}", f"{{perf}} record {options} -o {DATA} -- {{inner}} {{workload}}", options,
                    file=DATA, alone="{workload}", workload=name, **more)


def unwound(name, rate, against=None, label=None):
    """Our --call-graph dwarf in the first column, our -g in the second."""
    line = f"{{ours}} record -F {rate} %s -o {DATA} -- {{inner}} {{workload}}"
    return Workload(f"record-unwound-{label or name}-{rate}", line % "--call-graph dwarf",
                    f"{rate} Hz, ours: --call-graph dwarf against ours: -g", against=line % "-g", file=DATA,
                    alone="{workload}", workload=name, workload_against=against,
                    targets=(Target("size", x=1.5), Target("own", x=3 if rate == 20000 else 2), Target("lost", 0)))


ROWS = [
    *[recorded(name) for name in WORKLOADS],
    Row("record-busy", f"{{perf}} record -F 20000 -g -o {DATA} -- {{inner}} {{programs}}/threads 2 10",
        "20 kHz, call chains, 2 busy CPUs for 10 s", file=DATA, targets=(Target("own", x=1 / 3),), rounds=2),
    Row("record-busy-30", f"{{perf}} record -F 20000 -g -o {DATA} -- {{inner}} {{programs}}/threads 2 30",
        "the same for 30 s", file=DATA, targets=(Target("own", x=1 / 3),), rounds=2, large=True),
    Row("record-dd-syscalls", f"{{perf}} record -e raw_syscalls:* -o {DATA} -- {{inner}} dd if=/dev/zero of=/dev/null "
        "bs=1 count=2000000", "tracepoints as fast as they come", file=DATA,
        targets=(Target("lost", 0), Target("peak", 40, text="<= 16 MiB + rings")), rounds=1),
    Row("record-dd-system-wide", f"{{perf}} record -a -e raw_syscalls:* -o {DATA} -- {{inner}} dd if=/dev/zero "
        "of=/dev/null bs=1 count=2000000", "the same with -a: the recorder must not trace itself", file=DATA,
        targets=(Target("lost", 0), Target("peak", 40, text="<= 16 MiB + rings")), rounds=1),
    recorded("switches", "-F 99", "-99", targets=(Target("slow", 1.03),)),
    Row("record-switches-traced", f"{{perf}} record -a -e sched:sched_switch -o {DATA} -- {{inner}} {FORKS}",
        "3000 forks", file=DATA),
    # what the analysers record on the whole machine; others' allocations make most of kmem's samples
    *[Row(f"record-{name}", f"{{perf}} {name} {words} -o {DATA} -- {{inner}} {work}", about, file=DATA,
          targets=(Target("own" if work == SWITCHES else "each", x=1 / 3),), rounds=2)
      for name, words, work, about in (
          ("sched", "record", SWITCHES, "80,000 switches"), ("lock", "record -a", SWITCHES, "the same, waits for locks"),
          ("kwork", "record", SWITCHES, "the same, interrupts and work items"), ("kmem", "record", FEW_FORKS, "allocations of 300 forks"))],
    # perf 6.1's takes no file name
    Row("record-timechart", f"sh -c 'cd {{dir}} && {{perf}} timechart record {{inner}} {SWITCHES}'", "80,000 switches and wake-ups",
        file="{dir}/perf.data", targets=(Target("own", x=1 / 3),), rounds=2),
    # perf 6.1 of Debian has no -b
    Row("lock-contention-bpf", f"{{ours}} lock contention -b --output {{dir}}/waits.txt {{inner}} {LOCKING}",
        "4 threads map and unmap memory, ours: -b against perf's lock record", alone=LOCKING, rounds=3,
        against=f"{{ref}} lock record -o {DATA} -- {{inner}} {LOCKING}", targets=(Target("slow", 1.1),)),
    # all of the time of two processes that hand a byte to and fro, against other ways to see their switches
    Row("record-wall", f"{{ours}} record --wall -o {DATA} -- {{inner}} {SWITCHES}",
        "80,000 switches, ours: --wall against perf's sched record, which takes no stacks",
        against=f"{{ref}} sched record -o {DATA} -- {{inner}} {SWITCHES}", file=DATA, alone=SWITCHES),
    Row("record-wall-events", f"{{ours}} record --wall -o {DATA} -- {{inner}} {SWITCHES}",
        "the same against perf's record of the same events with stacks",
        against=f"{{ref}} record -a -g -c 1 -e cpu-clock/period=250000/ -e sched:sched_switch -e sched:sched_waking -o {DATA} -- "
        f"{{inner}} {SWITCHES}", file=DATA, alone=SWITCHES),
    Row("record-wall-source", f"{{ours}} record --wall=bpf -o {DATA} -- {{inner}} {SWITCHES}",
        "the same by BPF programs against tracepoints", against=f"{{ours}} record --wall=tracepoints -o {DATA} -- {{inner}} {SWITCHES}",
        file=DATA, alone=SWITCHES),
    # 100,000 switches a second: 10 us a turn
    Row("record-wall-sums", f"{{ours}} record --wall=sums -o {DATA} -- {{inner}} {SWITCHES_SECOND}",
        "100,000 switches in a second, summed up in the kernel, against perf's sched record",
        against=f"{{ref}} sched record -o {DATA} -- {{inner}} {SWITCHES_SECOND}", file=DATA, alone=SWITCHES_SECOND,
        targets=(Target("slow", 1.05),)),
    Tool("record-wall-sums-bpftrace", f"{{ours}} record --wall=sums -o {DATA} -- {{inner}} {SWITCHES_SECOND}",
         "the same against a script of bpftrace that sums up time off the CPUs, without wake-ups",
         against=f"bpftrace -o /dev/null {OFFCPU} -c '{{inner}} {SWITCHES_SECOND}'", alone=SWITCHES_SECOND, tool="bpftrace"),
    *[beside(tool, package) for tool, package in (("offcputime", "libbpf-tools"), ("runqlat", "libbpf-tools"),
                                                   ("offcputime-bpfcc", "bpfcc-tools"))],
    Row("record-wall-100k", f"{{ours}} record --wall -o {DATA} -- {{inner}} {SWITCHES_WORK}",
        "100,000 switches in about a second, with work between them, against perf's sched record",
        against=f"{{ref}} sched record -o {DATA} -- {{inner}} {SWITCHES_WORK}", file=DATA, alone=SWITCHES_WORK,
        targets=(Target("slow", 1.05),)),
    Row("record-dwarf", f"{{perf}} record -F 5000 -e cpu-clock:u --call-graph dwarf -o {DATA} -- {{inner}} "
        "{programs}/stacks 2", "stacks without frame pointers", file=DATA),
    *[unwound(name, rate) for name in ("7z", "gcc", "threads") for rate in (4000, 20000)],
    unwound("templates", 20000),
    # chains of the same length, of a program built twice
    *[unwound("without-frame-pointers", rate, "with-frame-pointers", "equal") for rate in (4000, 20000)],
    *[recorded(name, "-F 20000 --call-graph dwarf", "-dwarf", targets=(Target("lost", 0),), rounds=2)
      for name in ("7z", "gcc", "threads")],
    Stalled("record-stalled-disk", f"{os.path.dirname(os.path.abspath(__file__))}/stalled {{dir}}/image 1 2 "
            "{perf} record -F 20000 -g -m 1M -o r.data -- {inner} {programs}/threads 2 4",
            "20 kHz, 2 busy CPUs for 4 s, rings of 1 MiB, a disk that takes nothing for 2 s", file=DATA,
            targets=(Target("lost", 0),), rounds=2),
    Row("record-short-lived", f"{{perf}} record -F 999 -o {DATA} -- {{inner}} {FORKS}",
        "samples of 3000 processes that live for a moment", file=DATA),
]
