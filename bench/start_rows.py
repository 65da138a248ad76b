"""What starts, ends and prints little."""
import os

from rows import Row, Target

TOP = os.path.dirname(os.path.abspath(__file__)) + "/on-screen PerfTop: --while '{inner} {programs}/shares 4' {perf} top --stdio -d 1"
BROWSED = TOP.replace("PerfTop:", "Samples:").replace(" --stdio", "")
STORM = (BROWSED.replace("{programs}/shares 4", "dd if=/dev/zero of=/dev/null bs=1 count=2000000")
         .replace(" {perf}", " --lost {dir}/top.lost {perf}") + " -a -e raw_syscalls:*")
ROWS = [
    Row("version", "{perf} --version", targets=(Target("cpu", 2),)),
    Row("list", "{perf} list", targets=(Target("cpu", 15),)),
    Row("evlist", "{perf} evlist -i {input}", input="tiny", targets=(Target("cpu", 3),), same=True),
    Row("record-true", "{perf} record -o {dir}/r.data true", file="{dir}/r.data",
        targets=(Target("wall", 30), Target("cpu", 15))),
    Row("report-tiny", "{perf} report --stdio -i {input}", input="tiny", targets=(Target("cpu", 10),)),
    Row("script-tiny", "{perf} script -i {input}", input="tiny", targets=(Target("cpu", 10),), same=True),
    Row("stat-true", "{perf} stat true"),
    Row("stat-interval", "{perf} stat -a -A -I 10 sleep 1"),
    Row("stat-syscalls", "{perf} stat -e 'syscalls:*' true", "the reference takes half a minute", rounds=1, large=True),
    Row("top", f"{TOP} -a -e cpu-clock -F 999", "4 s with one busy program, on a terminal", targets=(Target("own", x=1 / 3),), rounds=2),
    Row("top-chains", f"{TOP} -a -e cpu-clock -F 999 -g", "the same with call chains", targets=(Target("own", x=1 / 3),), rounds=2),
    Row("top-browser", f"{BROWSED} -a -e cpu-clock -F 999 -g", "the same in the browser", targets=(Target("own", x=1 / 3),), rounds=2),
    Row("top-storm", STORM, "the browser while dd makes 2 million system calls: 8 million tracepoints", told="{dir}/top.lost",
        targets=(Target("lost", 0),), rounds=1),
    Row("stat-switches", "{perf} stat -- {inner} {programs}/switches 150000", "counting 300,000 context switches",
        alone="{programs}/switches 150000"),
]
