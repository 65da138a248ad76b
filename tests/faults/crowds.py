"""Many of something, things at the same time, and things in any order: threads, mappings, processes, signals, recorders."""
import os
import shutil
import signal
import subprocess
import time

from faults import EVENT, PERF, PROGRAMS, Log, fault, numbers, span, ticked, ticking, ticks_of, wait_for, whole
from space import ended, exact, workload


def ready(t, *words):
    p = t.start([PROGRAMS + "/crowd", *words], stdout=subprocess.PIPE)
    t.check(p.stdout.readline() == b"ready\n", f"cannot have {words}")
    return p


# Seconds for which is recorded, until all that there was is known: a busy machine needs longer to read /proc.
PATIENCE = (1.5, 6, 24)


def record_for(t, out, seconds, *words):
    recorder = t.start([PERF, "record", "-o", out, "-e", "cpu-clock:u", *words], stderr=subprocess.PIPE)
    time.sleep(seconds)
    recorder.send_signal(signal.SIGINT)
    return ended(t, recorder)


def names_busy(t, file):
    status, text, err = t.run([PERF, "report", "-i", file, "--stdio", "--no-children", "-g", "none", "-s", "symbol"])
    t.check(status == 0 and "[.] busy" in text, f"report: status {status}: {text} {err}")


@fault("thousands of threads", short=1, long=5)
def threads(t):
    for n in range(t.rounds):
        count = 2000 * (1 + n % 2)
        crowd = ready(t, "threads", count, "100")
        for words in (["-p", crowd.pid], ["-a"]):
            for seconds in PATIENCE:
                status, err = record_for(t, "t.data", seconds, *words)
                if "open files" in err or "lock" in err:
                    break
                t.check("Captured and wrote" in err, f"{words}: status {status}: {err}")
                known = t.run([PERF, "report", "-i", "t.data", "--tasks"])[1].count("crowd")
                if known >= count:
                    break
            if "open files" in err or "lock" in err:
                t.saw("refused with a word")
                continue
            names_busy(t, "t.data")
            t.check(known >= count, f"{words}: {known} of {count} threads known")
            t.saw("all threads known, samples named")
        crowd.kill()


@fault("20,000 mappings", short=1, long=5)
def mappings(t):
    for n in range(t.rounds):
        crowd = ready(t, "maps", 20000, "100")
        for seconds in PATIENCE:
            status, err = record_for(t, "m.data", seconds, "-p", crowd.pid)
            t.check("Captured and wrote" in err, f"status {status}: {err}")
            text = t.run([PERF, "script", "-i", "m.data", "--show-mmap-events", "-F", "comm"])[1]
            known = text.count("PERF_RECORD_MMAP")
            if known >= 20000:
                break
        crowd.kill()
        t.check(known >= 20000, f"{known} mappings known")
        names_busy(t, "m.data")
        t.saw("all known, the last one's function named")


@fault("processes that fork, exec and end", short=1, long=5)
def chain(t):
    t.root()
    links = 900 if t.rounds == 1 else 6000
    for _ in range(t.rounds):
        event = ["-e", "syscalls:sys_enter_getppid"]
        status, _, err = t.run([PERF, "record", "-o", "c.data", *event, PROGRAMS + "/crowd", "chain", links])
        if "sys_enter_getppid" in err and status:
            t.skip("no tracepoints of system calls: " + err.strip())
        t.check(status == 0, f"status {status}: {err}")
        status, text, err = t.run([PERF, "script", "-i", "c.data", "-F", "comm"])
        lost = sum(numbers(r"(\d+) samples? lost", err))
        t.check(len(text.split()) + lost == 100 * links,
                f"{len(text.split())} calls and {lost} lost of {100 * links}: {err}")
        t.saw("every call of every process is there")
    t.note(f"{links} processes and programs each")


@fault("pid that ends while it is attached to", short=20, long=400)
def ending_pid(t):
    def once(n):
        work = t.start(["sh", "-c", "sleep %.4f" % t.random.uniform(0.002, 0.06)])
        out = t.path(f"{n}.data")
        status, _, err = t.run([PERF, "record", "-o", out, "-e", "cpu-clock:u", "-p", work.pid])
        work.wait()
        t.check(status is not None, "record hangs on a process that has ended")
        t.check(status >= 0, f"signal {-status}: {err}")
        if status:
            t.check(err.strip(), f"status {status} without a word")
            t.saw("refused with a word")
        else:
            status, _, err = t.run([PERF, "report", "-i", out, "--stdio"])
            t.check(status == 0, f"report: status {status}: {err}")
            t.saw("recorded what there was")
            os.unlink(out)
    t.each(once)


@fault("another clock (time namespace)", short=2, long=6)
def other_clock(t):
    t.root()
    for n in range(t.rounds):
        by = ["--monotonic", "1000000", "--boottime", "50000000"] if n % 2 else ["--monotonic", "-600", "--boottime", "-600"]
        log = t.path(f"log{n}")
        status, _, err = t.run(["unshare", "-T", *by, "true"])
        if status:
            t.skip("no time namespaces: " + err.strip())
        status, _, err = t.run(["unshare", "-T", *by, PERF, "record", "-o", "c.data", *EVENT, PROGRAMS + "/ticks", log, "1500"])
        exact(t, log, [t.path("c.data")], status, err)


@fault("clock set while recording", short=2, long=10)
def clock_set(t):
    """For the recorder alone: the machine's clock is for other programs, too. Half of the times while a file is opened that takes
    a second, and the stage is at work."""
    preload = f"{PROGRAMS}/libwall.so:{PROGRAMS}/libslow.so"
    for n in range(t.rounds):
        log, program = t.path(f"log{n}"), t.path(f"slow-ticks{n}")
        shutil.copy(PROGRAMS + "/ticks", program)
        env = dict(t.env, LD_PRELOAD=preload, SLOW_FILE="slow-ticks", SLOW_MS="1000")
        mode = ["--switch-output=1s"] if n % 2 else ["--call-graph", "dwarf", "-m", "512K"]
        status, _, err = t.run([PERF, "record", "-o", f"c{n}.data", *EVENT, *mode, program, log, "2500"], env=env)
        files = sorted((f for f in os.listdir(t.box) if f.startswith(f"c{n}.data")), key=lambda f: os.stat(t.path(f)).st_mtime_ns)
        got = exact(t, log, [t.path(f) for f in files], status, err)
        t.check(len(set(got)) == len(got), f"{len(got) - len(set(got))} of {len(got)} ticks are in two files: {err}")
    # without the stage a second of ticks would be lost
    t.check(t.lost * 10 <= t.truth, f"{t.lost} of {t.truth} are lost")


@fault("signals in any order", short=10, long=200)
def signals(t):
    kinds = [signal.SIGINT, signal.SIGTERM, signal.SIGUSR2, signal.SIGCHLD, signal.SIGSTOP, signal.SIGCONT,
             signal.SIGWINCH, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGURG]

    def once(n):
        work, log = workload(t, n, us=500)
        out = t.path(f"s{n}.data")
        rotating = n % 2
        recorder = t.start([PERF, "record", "-o", out, "-p", work.pid, *EVENT] + (["--switch-output"] if rotating else []),
                           stderr=subprocess.PIPE)
        wait_for(lambda: os.path.exists(out) and os.path.getsize(out) > 104)
        sent = []
        for _ in range(t.random.randrange(1, 12)):
            sent.append(t.random.choice(kinds))
            time.sleep(t.random.choice((0, 0, 0.01, 0.1)))
            if recorder.poll() is None:
                recorder.send_signal(sent[-1])
        recorder.send_signal(signal.SIGCONT)
        if recorder.poll() is None:
            recorder.send_signal(signal.SIGINT)
        status, err = ended(t, recorder)
        work.kill()
        names = " ".join(s.name for s in sent)
        t.check(status in (-signal.SIGINT, -signal.SIGTERM), f"{names}: status {status}: {err}")
        files = sorted(f for f in os.listdir(t.box) if f.startswith(f"s{n}.data"))
        t.check(files, f"{names}: no file")
        got, said = ticks_of(t, PERF, [t.path(f) for f in files], strict=True)
        t.check("finished" not in said and "missing" not in said, f"{names}: {said}")
        t.check(whole(got) or "lost" in said, f"{names}: ticks are missing: {span(got)}")
        t.check(not rotating or len(files) >= min(1, sent.count(signal.SIGUSR2)), f"{names}: {files}")
        for f in files:
            os.unlink(t.path(f))
        t.saw("ended by the first that ends, all files whole")
    t.each(once)


@fault("two recorders at once", short=2, long=20)
def two(t):
    for n in range(t.rounds):
        work, log = workload(t, n, us=500)
        words = ([["-p", work.pid]] * 2, [["-p", work.pid], ["-a"]], [["-a"], ["-a"]])[n % 3]
        recorders = [t.start([PERF, "record", "-o", f"w{i}.data", *EVENT, *w], stderr=subprocess.PIPE)
                     for i, w in enumerate(words)]
        time.sleep(1)
        seen = ticked(log)
        t.check(wait_for(lambda: ticked(log) > seen + 400), "the workload does not go on")
        for r in recorders:
            r.send_signal(signal.SIGINT)
        said = [ended(t, r)[1] for r in recorders]
        work.kill()
        got = [ticks_of(t, PERF, [t.path(f"w{i}.data")], pid=work.pid) for i in range(2)]
        if any("of no known event" in err for _, err in got):
            # perf_swevent_event() of Linux 6.2 and later fills in one sample for all events that a fault concerns: the
            # id that it has is the first one's. Nobody can read the second recording of the same event, perf 6.1 neither.
            t.saw("the kernel gave samples of one the ids of the other; told")
            continue
        for (ticks, err), tell in zip(got, said):
            t.check(len(ticks) > 200, f"only {len(ticks)} ticks: {tell}")
            t.check(whole(ticks) or "lost" in err, f"ticks are missing: {span(ticks)}")
        t.saw("both whole")
    # both write the same file: the second puts the first's aside
    work, log = workload(t, "same", us=500)
    recorders = []
    for i in range(2):
        recorders.append(t.start([PERF, "record", "-o", "same.data", *EVENT, "-p", work.pid], stderr=subprocess.PIPE))
        time.sleep(0.7)
        seen = ticked(log)
        t.check(wait_for(lambda: ticked(log) > seen + 200), "the workload does not go on")
    for r in recorders:
        r.send_signal(signal.SIGINT)
    for r in recorders:
        t.check("Captured and wrote" in ended(t, r)[1], "not both ended well")
    for name in ("same.data", "same.data.old"):
        ticks, err = ticks_of(t, PERF, [t.path(name)], strict=True)
        t.check(len(ticks) > 100 and whole(ticks), f"{name}: {len(ticks)} ticks: {err}")
    t.saw("into the same file: both whole, the first as .old")


@fault("suspended recorder", short=2, long=40)
def suspended(t):
    for n in range(t.rounds):
        log = t.path(f"log{n}")
        recorder = t.start([PERF, "record", "-o", "z.data", "-m", "64K", *EVENT, *["-z"] * (n % 2),
                            PROGRAMS + "/ticks", log, "2500", "50"], stderr=subprocess.PIPE)
        t.check(wait_for(lambda: ticking(log)), "the workload does not start")
        for _ in range(1 + n % 3):
            time.sleep(0.1)
            recorder.send_signal(signal.SIGSTOP)
            time.sleep(t.random.uniform(0.1, 0.6))
            recorder.send_signal(signal.SIGCONT)
        status, err = ended(t, recorder)
        exact(t, log, [t.path("z.data")], status, err)
