"""What tracing system calls and functions costs the traced program (dd's calls are as short as any), and finding places for probes."""
import os

from rows import Row, Target

OUT = "{dir}/calls.txt"
DD = "dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none"
SHORT = "dd if=/dev/zero of=/dev/null bs=1 count=30000 status=none"
STORM = DD.replace("300000", "100000")
STORM = f"sh -c '{STORM} & {STORM} & wait'"
SLOW = ("wall", "cpu", "own", "slow", "peak")


def traced(name, options, about, command=DD, alone=DD, **more):
    return Row(f"trace-{name}", f"{{perf}} trace {options} -o {OUT} -- {{inner}} {command}", about, alone=alone,
               measures=SLOW, **more)


COLD = "sh -c 'rm -rf {dir}/probe-cache; XDG_CACHE_HOME={dir}/probe-cache exec {perf} probe -x {ours} -D \"call_line_show:6 what out\"'"
MANY = os.path.dirname(os.path.abspath(__file__)) + "/many-functions 1000 {dir}/thousand"
THOUSAND = ("sh -c '[ -x {dir}/thousand ] || " + MANY + "; {perf} probe -q -x {dir}/thousand --max-probes 1000 -a \"fn* number\" >/dev/null && "
            "exec {perf} probe -q -d \"probe_thousand:*\"'")

ROWS = [
    traced("dd", "", "600,000 calls, each with its line", rounds=2),
    traced("dd-sums", "-s", "600,000 calls, only counted", targets=(Target("slow", 2.6),), rounds=2),
    traced("dd-unshown", "-e chdir", "600,000 calls that are not shown"),
    traced("storm", "-a -m 128M", "all CPUs, two of dd, 400,000 calls", STORM, STORM, rounds=1),
    traced("storm-sums", "-a -s", "all CPUs, two of dd, 400,000 calls, only counted", STORM, STORM, rounds=1),
    traced("dd-strace", "", "60,000 calls; the reference's column is strace", SHORT, SHORT,
           against=f"strace -f -o {OUT} {{inner}} {SHORT}"),
    Row("trace-replay", "{perf} trace -i {input}", "the calls of a recording", input="syscalls",
        measures=("wall", "cpu", "peak", "printed", "rate")),
    # the reference of Debian 12 has neither -b nor -e: its column is our `trace -s`, which counts the same calls
    Row("ftrace-between", f"{{perf}} ftrace latency -b -n -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -- {{inner}} {DD}",
        "600,000 calls, a histogram of their times", against=f"{{ours}} trace -s -o {OUT} -- {{inner}} {DD}", alone=DD, measures=SLOW),
    Row("ftrace-function", f"{{perf}} ftrace -T vfs_write -m 64M -- {{inner}} {SHORT}", "30,000 calls of a function, each with its line",
        alone=SHORT, measures=SLOW),
    Row("ftrace-latency", f"{{perf}} ftrace latency -T vfs_write -m 64M -- {{inner}} {SHORT}", "30,000 calls of a function, a histogram",
        alone=SHORT, measures=SLOW),
    # of a program with 10 MB of debug information: our perf
    Row("probe-cold", COLD, "a line with two variables, nothing remembered", same=True, targets=(Target("cpu", 100),),
        measures=("wall", "cpu", "peak", "printed")),
    Row("probe-warm", COLD.replace("rm -rf {dir}/probe-cache; ", ""), "the same once more", same=True,
        targets=(Target("cpu", 20),), measures=("wall", "cpu", "peak", "printed")),
    Row("probe-function", "{perf} probe -x {ours} -D call_line_show", "where a function is", same=True,
        targets=(Target("cpu", 100),), measures=("wall", "cpu", "peak", "printed")),
    Row("probe-variable", "{perf} probe -x {ours} -D 'call_line_show:6 what out'", "a line of it, with two of its variables", same=True,
        targets=(Target("cpu", 100),), measures=("wall", "cpu", "peak", "printed")),
    Row("probe-lines", "{perf} probe -x {ours} -L call_line_show", "which lines of it can be probed", same=True,
        targets=(Target("cpu", 100),), measures=("wall", "cpu", "peak", "printed")),
    Row("probe-thousand", THOUSAND, "a thousand probes with an argument are made and deleted", rounds=3,
        measures=("wall", "cpu", "peak")),
]
