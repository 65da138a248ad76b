"""What recording costs the recorder and its workload, and what is lost."""
from dataclasses import dataclass

import rows
from rows import Row, Target
from workloads import WORKLOADS, command

DATA = "{dir}/r.data"
FORKS = "{programs}/forks 3000"


@dataclass
class Workload(Row):
    """A row whose command is a workload that must be there."""
    workload: str = None

    def measure(self, bench, inputs):
        line = command(bench, self.workload).replace("{", "{{").replace("}", "}}")
        self.line = self.line.replace("{workload}", line)
        if self.alone:
            self.alone = self.alone.replace("{workload}", line)
        return rows.measure(bench, self, inputs)


def recorded(name, options="-F 4000 -g", suffix="", **more):
    return Workload(f"record-{name}{suffix}", f"{{perf}} record {options} -o {DATA} -- {{inner}} {{workload}}", options,
                    file=DATA, alone="{workload}", workload=name, **more)


ROWS = [
    *[recorded(name) for name in WORKLOADS],
    Row("record-busy", f"{{perf}} record -F 20000 -g -o {DATA} -- {{inner}} {{programs}}/threads 2 10",
        "20 kHz, call chains, 2 busy CPUs for 10 s", file=DATA, targets=(Target("own", x=1 / 3),), rounds=2),
    Row("record-busy-30", f"{{perf}} record -F 20000 -g -o {DATA} -- {{inner}} {{programs}}/threads 2 30",
        "the same for 30 s", file=DATA, targets=(Target("own", x=1 / 3),), rounds=2, large=True),
    Row("record-dd-syscalls", f"{{perf}} record -e raw_syscalls:* -o {DATA} -- {{inner}} dd if=/dev/zero of=/dev/null "
        "bs=1 count=2000000", "tracepoints as fast as they come", file=DATA,
        targets=(Target("lost", 0), Target("peak", 40, text="<= 16 MiB + rings")), rounds=2),
    Row("record-dd-system-wide", f"{{perf}} record -a -e raw_syscalls:* -o {DATA} -- {{inner}} dd if=/dev/zero "
        "of=/dev/null bs=1 count=2000000", "the same with -a: the recorder must not trace itself", file=DATA,
        targets=(Target("lost", 0), Target("peak", 40, text="<= 16 MiB + rings")), rounds=1),
    recorded("switches", "-F 99", "-99", targets=(Target("slow", 1.03),)),
    Row("record-switches-traced", f"{{perf}} record -a -e sched:sched_switch -o {DATA} -- {{inner}} {FORKS}",
        "3000 forks", file=DATA),
    Row("record-dwarf", f"{{perf}} record -F 5000 -e cpu-clock:u --call-graph dwarf -o {DATA} -- {{inner}} "
        "{programs}/stacks 2", "stacks without frame pointers", file=DATA),
    Row("record-short-lived", f"{{perf}} record -F 999 -o {DATA} -- {{inner}} {FORKS}",
        "samples of 3000 processes that live for a moment", file=DATA),
]
