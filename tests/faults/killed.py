"""kill -9 of a recorder at any moment: what was flushed is there, for ours and for the reference, and what is
missing is younger than a second."""
import os
import shutil
import signal
import time

from faults import EVENT, PERF, PROGRAMS, REF, Log, fault, span, ticking, ticks_of, wait_for, whole

LIMIT = 1.0    # what is promised
SLACK = 0.5    # what a busy machine may add, or more where it kept the workload waiting, too
# The first records that are looked at, at a flush for these come slowly, need a file that takes a while.
COLD = "dwarf, a file that opens slowly"
MODES = {
    "plain": [],
    "plain, woken between flushes": ["-m", "128K"],  # a wake-up each 0.45 s
    "-z": ["-z"],
    "pipe": ["-o", "-"],
    "switch-output": ["--switch-output=1s"],
    "dwarf": ["--call-graph", "dwarf"],
    COLD: ["--call-graph", "dwarf", "-m", "4M"],
}


def once(t, mode, n, worst):
    box = t.path(f"{n}")
    os.mkdir(box)
    log, out = box + "/log", box + "/k.data"
    life = t.random.uniform(0.1, 4) if mode != COLD else t.random.uniform(1.9, 2.2)
    words = [PERF, "record", "-q"] + EVENT + MODES[mode] + ([] if mode == "pipe" else ["-o", out])
    ticks, env = [PROGRAMS + "/ticks", log, "20000"], t.env
    if mode == COLD:
        ticks = [t.path("cold-ticks"), log, "20000", "10000"]
        env = dict(env, LD_PRELOAD=PROGRAMS + "/libslow.so", SLOW_FILE="cold-ticks", SLOW_MS="300")
    sink = open(out, "wb") if mode == "pipe" else None
    by_pid = n % 2 == 0
    if by_pid:
        work = t.start(ticks)
        t.check(wait_for(lambda: ticking(log)), "the workload does not start")
        recorder = t.start(words + ["-p", work.pid], stdout=sink, env=env)
    else:
        recorder = t.start(words + ticks, stdout=sink, env=env, start_new_session=True)
    time.sleep(life)
    waited, how = kept_waiting(recorder.pid)
    recorder.send_signal(signal.SIGKILL)
    killed_at = time.monotonic_ns()
    recorder.wait()
    if by_pid:
        work.kill()
        work.wait()
    else:
        os.killpg(recorder.pid, signal.SIGKILL) if still(recorder.pid) else None
    if sink:
        sink.close()
    files = sorted(f"{box}/{f}" for f in os.listdir(box) if f.startswith("k.data."))
    files += [out] if os.path.exists(out) else []
    if not files or not os.path.getsize(files[0]):
        t.check(life < LIMIT + max(SLACK, waited), f"no file after {life:.1f} s")
        t.saw("killed before there was a file")
        return
    got, said = ticks_of(t, PERF, [f for f in files if os.path.getsize(f)])
    if not got:
        t.check(life < LIMIT + max(SLACK, waited),
                f"nothing readable after {life:.1f} s: {said}; when it was killed: {how}")
        t.saw("killed before the first flush")
        return
    truth = Log(log)
    t.check(whole(got), f"ticks are missing in the middle: {span(got)}")
    t.check(got[-1] < len(truth), f"tick {got[-1]} of {len(truth)} never took place")
    gone = truth.times[got[-1] + 1:got[-1] + 2]  # the first that is missing, if any
    missing = max(0, killed_at - gone[0]) / 1e9 if gone else 0
    t.check(missing < LIMIT + max(SLACK, 2 * stall(truth), waited),
            f"the last {missing:.2f} s of {life:.1f} s are missing, {said}; when it was killed: {how}")
    worst.append(missing)
    if os.path.exists(REF):
        theirs, said = ticks_of(t, REF, [f for f in files if os.path.getsize(f)])
        if not theirs and life < LIMIT + max(SLACK, waited):
            t.saw("killed before the first flush, readable by ours")
            return
        t.check(theirs == got, f"perf 6.1 reads {len(theirs)} ticks, ours {len(got)}: {said}")
    t.saw("readable by both" if os.path.exists(REF) else "readable")


def kept_waiting(pid):
    """-> seconds that a recorder's threads waited for a processor or the disk, and what they do now"""
    seconds, how = 0.0, []
    try:
        for task in sorted(os.listdir(f"/proc/{pid}/task")):
            texts = []
            for name in ("schedstat", "stat", "wchan"):
                with open(f"/proc/{pid}/task/{task}/{name}") as f:
                    texts.append(f.read().strip())
            queue, fields = int(texts[0].split()[1]) / 1e9, texts[1].rsplit(")", 1)[1].split()
            disk = int(fields[39]) / os.sysconf("SC_CLK_TCK")  # delayacct_blkio_ticks
            seconds = max(seconds, queue + disk)
            how.append(f"{fields[0]} {texts[2]}, waited {queue:.2f} s for a processor, {disk:.2f} s for the disk")
    except (OSError, IndexError, ValueError) as why:
        how.append(str(why))
    return seconds, "; ".join(how)


def stall(truth):
    """The longest, in seconds, that the machine kept the workload waiting at the end."""
    times = truth.times[-3000:]
    return max((b - a for a, b in zip(times, times[1:])), default=0) / 1e9


def still(group):
    try:
        os.killpg(group, 0)
        return True
    except OSError:
        return False


def killed(mode):
    def test(t):
        worst = []
        # Once, before the rounds run beside each other: a program that is copied while another round forks is busy
        # (ETXTBSY) until that child has its own.
        shutil.copy(PROGRAMS + "/ticks", t.path("cold-ticks"))
        t.each(lambda n: once(t, mode, n, worst))
        if worst:
            t.note(f"at most {max(worst):.2f} s missing")
    return test


for name in MODES:
    fault("kill -9, " + name, short=6, long=100)(killed(name))
