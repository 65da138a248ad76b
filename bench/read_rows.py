"""What reading recordings costs."""
import os

from rows import Row, Target

SELF = "{perf} report --stdio --no-children -g none -s comm -i {input}"
SCREEN = os.path.dirname(os.path.abspath(__file__)) + "/on-screen Samples: {perf} report -i {input}"
NEW = "{dir}/new.data"
INJECT = "{perf} inject -i {input} -o " + NEW

ROWS = [
    Row("report-deep", "{perf} report --stdio -i {input}", "8 MB of deep stacks", input="deep-8", rounds=1,
        targets=(Target("cpu", x=1 / 20), Target("peak", 150))),
    Row("report-deep-66", "{perf} report --stdio -i {input}", "66 MB of deep stacks; the reference takes 7 GB",
        input="deep-66", rounds=1, large=True, targets=(Target("cpu", 1000), Target("peak", 150))),
    Row("report-fast", "{perf} report --stdio -i {input}", "25 MB of a compiler's deep stacks at 20 kHz, as they were recorded",
        input="fast-clangs", rounds=1, targets=(Target("cpu", x=1 / 10), Target("peak", 50))),
    Row("report-templates", "{perf} report --stdio -i {input}", "a compiler of templates at 20 kHz, -g: deeper stacks",
        input="fast-templates", rounds=1, targets=(Target("cpu", x=1 / 10), Target("peak", 50))),
    Row("report-unwound", "{perf} report --stdio -i {input}", "the same by --call-graph dwarf",
        input="unwound-templates", rounds=1, targets=(Target("cpu", x=1 / 10), Target("peak", 50))),
    Row("report", "{perf} report --stdio --no-children -i {input}", "128 MB with call chains", input="fp-128",
        targets=(Target("cpu", x=1 / 20), Target("peak", 13))),
    Row("report-children", "{perf} report --stdio -i {input}", "128 MB with call chains", input="fp-128", rounds=1,
        targets=(Target("cpu", x=1 / 20), Target("peak", 13))),
    Row("screen-report", SCREEN, "128 MB with call chains, to the first screen of the browser", input="fp-128", rounds=1),
    Row("screen-report-1024", SCREEN, "1 GB with call chains, to the first screen of the browser", input="fp-1024",
        rounds=1, large=True, targets=(Target("wall", 1000),)),
    Row("report-self", SELF, "128 MB with call chains", input="fp-128", targets=(Target("cpu", x=1 / 5),)),
    Row("report-large", "{perf} report --stdio --no-children -i {input}", "512 MB with call chains", input="fp-512",
        rounds=1, large=True, targets=(Target("cpu", x=1 / 20), Target("peak", 51))),
    Row("report-folded", "{perf} report --folded -i {input}", "64 MB with call chains; the reference: script alone, "
        "whose text other scripts would still have to fold", input="fp-64", instead="{perf} script -i {input}"),
    Row("stats", "{perf} report --stats -i {input}", "64 MB of tracepoints", input="syscalls-64",
        targets=(Target("cpu", x=1 / 2),)),
    Row("script", "{perf} script -i {input}", "64 MB with call chains", input="fp-64", same=True,
        targets=(Target("cpu", x=1 / 8),)),
    Row("script-fast", "{perf} script -i {input}", "deep stacks at 20 kHz, as for report-fast", input="fast-clangs",
        rounds=1, same=True, targets=(Target("cpu", x=1 / 8),)),
    Row("script-tracepoints", "{perf} script -i {input}", "64 MB of tracepoints", input="syscalls-64", same=True,
        targets=(Target("cpu", x=1 / 5),)),
    Row("script-time", "{perf} script --time {hundredth} -i {input}", "1 % of 256 MB with call chains", input="fp-256",
        same=True),
    Row("script-time-index", "{perf} script --time {hundredth} -i {input}", "the same, written by ours, with an index of times",
        input="fp-256-ours", same=True, targets=(Target("cpu", x=1 / 20),)),
    *[Row(f"script-time-index-{size}", "{perf} script --time {hundredth} -i {input}", f"the same of {size} MB",
          input=f"fp-{size}-ours", rounds=2, large=True, same=True, targets=(Target("cpu", x=1 / 20),))
      for size in (1024, 2048)],
    Row("script-self", "{perf} script -F comm,tid,time,event,ip,sym -G -i {input}", "64 MB, without their chains",
        input="fp-64", same=True, targets=(Target("cpu", x=1 / 8),)),
    Row("script-dwarf", "{perf} script --no-inline -i {input}", "copies of stacks", input="dwarf"),
    Row("script-copies", "{perf} script --no-inline -i {input}", "copies of a compiler's stacks, of the reference",
        input="copies-page", targets=(Target("wall", x=1 / 20),)),
    Row("report-copies", "{perf} report --stdio --no-inline -i {input}", "the same", input="copies-page",
        targets=(Target("wall", x=1 / 20),)),
    *[Row(f"sched-{name}", f"{{perf}} sched {words} -i {{input}}", "switches of 400 tasks that talk to each other", input="sched",
          targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10)))
      for name, words in (("latency", "latency"), ("map", "map"), ("timehist", "timehist"), ("timehist-s", "timehist -s"))],
    Row("lock-report", "{perf} lock report -i {input}", "waits of 400 tasks that talk to each other", input="locks",
        targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    Row("lock-contention", "{perf} lock contention -i {input}", "waits of 400 tasks that talk to each other", input="locks",
        targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    Row("kmem-stat", "{perf} kmem --caller -i {input} stat", "allocations of ls -lR", input="kmem",
        targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    *[Row(f"kwork-{name}", f"{{perf}} kwork {name} -i {{input}}", "switches and interrupts of 400 tasks that talk to each other",
          input="kwork", targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))) for name in ("report", "latency", "timehist")],
    Row("timechart", "{perf} timechart -i {input} -o {dir}/chart.svg", "the picture of 400 tasks that talk to each other",
        input="timechart", targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    Row("c2c", "{perf} c2c report --stdio --no-source -i {input}", "20,000 made samples of memory accesses", input="memory",
        targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    Row("c2c-wide", "{perf} c2c report --stdio --no-source -i {input}", "60,000 accesses to 55,000 cache lines", input="memory-wide",
        targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    Row("mem", "{perf} mem report --stdio -i {input}", "the same", input="memory",
        targets=(Target("cpu", x=1 / 8), Target("peak", x=1 / 10))),
    Row("inject", INJECT, "64 MB of tracepoints, as they are", input="syscalls-64", file=NEW,
        targets=(Target("cpu", x=1 / 4),)),
    Row("inject-b", INJECT + " -b", "64 MB of tracepoints", input="syscalls-64", file=NEW,
        targets=(Target("cpu", x=1 / 4),)),
    Row("inject-b-chains", INJECT + " -b", "64 MB with call chains", input="fp-64", file=NEW),
    Row("inject-contain", "{ours} inject --self-contained -z -i {input} -o " + NEW,
        "a compilation by clang, with names, lines and code, compressed; the reference: perf archive, the recording and its archive",
        input="fast-clang", file=NEW, against=f"sh -c '{{ours}} archive {{input}} >/dev/null && cat {{input}} {{input}}.tar.bz2 >{NEW}'",
        rounds=1, measures=("wall", "cpu", "peak", "size"), targets=(Target("size", x=1 / 5), Target("cpu", x=1 / 2))),
    Row("inject-convert", INJECT + " --convert-callchain", "copies of stacks; the reference unwinds them in script",
        input="dwarf", file=NEW, instead="{perf} script --no-inline -i {input}"),
    *[Row(f"report-{name}", "{perf} report --stdio -i {input}", "its recording", input=name, rounds=1)
      for name in ("gcc", "clang", "c++", "node", "java")],
    *[Row(f"script-{name}", "{perf} script -i {input}", "its recording", input=name, rounds=1, same=True)
      for name in ("gcc", "clang", "c++", "node", "java")],
]

GROWTH = [
    *[Row(f"growth-report-{size}", "{perf} report --stdio --no-children -i {input}", f"{size} MB, unique content grows, too",
          input=f"unique-{size}", rounds=1, large=size > 64) for size in (1, 4, 16, 64, 256, 2048)],
    *[Row(f"growth-script-{size}", "{perf} script -i {input}", f"{size} MB", input=f"fp-{size}", rounds=1, same=True,
          large=size > 64) for size in (1, 4, 16, 64, 256, 2048)],
]
