"""No room: disks, file sizes, directories, pipes, memory, descriptors."""
import os
import resource
import signal
import subprocess
import time

from faults import EVENT, PERF, PROGRAMS, REF, Log, fault, numbers, span, ticking, ticks_of, wait_for, whole

MODES = ([], ["-z"], ["--call-graph", "dwarf"])


def workload(t, n, ms=60000, us=0):
    log = t.path(f"log{n}")
    work = t.start([PROGRAMS + "/ticks", log, ms, us])
    t.check(wait_for(lambda: ticking(log)), "the workload does not start")
    return work, log


def ended(t, recorder, seconds=240):
    """-> (status, errors) of a recorder that ends by itself"""
    try:
        err = recorder.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        t.check(False, f"still recording after {seconds} s")
    return recorder.returncode, (err or b"").decode("utf8", "replace")


def readable(t, file, log, told, least=20):
    """A recording that ended too early: whole up to its last second, for both, but for what the recorder said it
    lost. Of its last pass over the rings only some may be there."""
    got, said = ticks_of(t, PERF, [file], strict=True)
    t.check(len(got) >= least, f"only {len(got)} ticks in {os.path.getsize(file)} bytes: {said}")
    t.check(not any(w in said for w in ("damage", "missing", "finished")), said)
    lost = sum(numbers(r"Lost (\d+) samples", told))  # a full ring may say so only at its end
    times = Log(log).times
    wrong = [i for i, n in enumerate(got) if n >= len(times) or (i and n <= got[i - 1])]
    t.check(not wrong, f"{len(times)} ticks, and around number {wrong[:1]} of the recording {got[max(0, (wrong or [0])[0] - 5):][:12]}")
    passed = [n for n in got if times[n] < times[got[-1]] - 1e9]
    t.check(lost or whole(passed), f"ticks are missing in the middle: {span(got)}: {told}")
    if os.path.exists(REF):
        theirs, said = ticks_of(t, REF, [file])
        t.check(theirs == got, f"perf 6.1 reads {len(theirs)} ticks, ours {len(got)}: {said}")


@fault("disk full", short=3, long=60)
def disk_full(t):
    t.root()
    small = t.path("small")
    os.mkdir(small)
    for n in range(t.rounds):
        size = t.random.randrange(100, 300 if n % 3 == 1 else 1500)  # what is compressed fills a disk slowly
        if t.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", small])[0]:
            t.skip("cannot mount a small tmpfs")
        t.undo = [["umount", "-l", small]]
        work, log = workload(t, n)
        recorder = t.start([PERF, "record", "-o", small + "/f.data", "-p", work.pid] + EVENT + MODES[n % 3],
                           stderr=subprocess.PIPE)
        status, err = ended(t, recorder)
        work.kill()
        t.check(status not in (0, None) and "o space left" in err, f"status {status}: {err}")
        readable(t, small + "/f.data", log, err)
        t.run(["umount", small])
        t.undo = []
        t.saw("ended with a word, whole up to its last second for both")


@fault("limit of file sizes (ulimit -f)", short=3, long=60)
def file_size(t):
    for n in range(t.rounds):
        size = t.random.randrange(100, 300 if n % 3 == 1 else 1500) * 1024
        work, log = workload(t, n)
        recorder = t.start([PERF, "record", "-o", "f.data", "-p", work.pid] + EVENT + MODES[n % 3],
                           stderr=subprocess.PIPE,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        status, err = ended(t, recorder)
        work.kill()
        t.check(status > 0 and "too large" in err, f"status {status}: {err}")
        t.check(os.path.getsize(t.path("f.data")) <= size, "larger than allowed")
        readable(t, t.path("f.data"), log, err)
        t.saw("ended with a word, whole up to its last second for both")


@fault("directory that may not be written", short=3)
def read_only(t):
    t.root()
    os.mkdir(t.path("ro"))
    if t.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", t.path("ro")])[0]:
        t.skip("cannot mount a tmpfs")
    t.undo = [["umount", "-l", t.path("ro")]]
    for where in ("ro/f.data", "none/f.data", "/proc/f.data"):
        status, _, err = t.run([PERF, "record", "-o", where, "touch", "ran"] + [])
        t.check(status and status > 0 and where in err and len(err.strip().split("\n")) <= 2,
                f"{where}: status {status}: {err}")
        t.check(not os.path.exists(t.path("ran")), "the command ran although nothing could be recorded")
        t.saw("refused with one sentence, the command not run")


@fault("directory that vanishes", short=4, long=20)
def vanished(t):
    for n in range(t.rounds):
        gone = t.path(f"gone{n}")
        os.mkdir(gone)
        work, _ = workload(t, n, us=1000)
        rotating = n % 2
        recorder = t.start([PERF, "record", "-o", gone + "/f.data", "-p", work.pid] + EVENT +
                           (["--switch-output=1s"] if rotating else []), stderr=subprocess.PIPE)
        t.check(wait_for(lambda: os.path.exists(gone + "/f.data")), "no file")
        time.sleep(0.3)
        subprocess.run(["rm", "-rf", gone])
        if not rotating:
            recorder.send_signal(signal.SIGINT)
        status, err = ended(t, recorder)
        work.kill()
        t.check(status, f"recorded into nothing with status 0: {err}")
        t.check(gone + "/f.data" in err and ("cannot" in err or "deleted" in err), f"status {status}: {err}")
        t.saw("told, status not 0")


@fault("pipe that is closed", short=4, long=40)
def closed_pipe(t):
    for n in range(t.rounds):
        work, _ = workload(t, n)
        r, w = os.pipe()
        recorder = t.start([PERF, "record", "-o", "-", "-p", work.pid] + EVENT + ["-z"] * (n % 2), stdout=w,
                           stderr=subprocess.PIPE)
        os.close(w)
        want = t.random.randrange(1, 200000)
        while want > 0:
            piece = os.read(r, min(want, 65536))
            t.check(piece, "the stream ended by itself")
            want -= len(piece)
        os.close(r)
        status, err = ended(t, recorder)
        work.kill()
        t.check(status == -signal.SIGPIPE or (status > 0 and "roken pipe" in err), f"status {status}: {err}")
        t.saw("ended with a word")


@fault("pipe that is read slowly", short=1, long=8)
def slow_pipe(t):
    for n in range(t.rounds):
        log, out = t.path(f"log{n}"), t.path("slow.data")
        r, w = os.pipe()
        recorder = t.start([PERF, "record", "-o", "-", "-m", "64K"] + EVENT +
                           [PROGRAMS + "/ticks", log, "3000", "50"], stdout=w, stderr=subprocess.PIPE)
        os.close(w)
        end = time.monotonic() + 3
        with open(out, "wb") as f:
            while piece := os.read(r, 4096 if time.monotonic() < end else 1 << 20):
                f.write(piece)
                if time.monotonic() < end:
                    time.sleep(0.02)
        os.close(r)
        status, err = ended(t, recorder)
        exact(t, log, [out], status, err)


@fault("disk that takes nothing for 1.8 s", short=1, long=10)
def stalled_disk(t):
    t.root()
    image, disk = t.path("image"), t.path("disk")
    os.mkdir(disk)
    with open(image, "wb") as f:
        f.truncate(64 << 20)
    if t.run(["mkfs.ext4", "-q", image])[0] or t.run(["mount", "-o", "loop", image, disk])[0]:
        t.skip("cannot mount an image of a disk")
    t.undo.append(["umount", disk])
    t.undo.append(["fsfreeze", "-u", disk])
    for n in range(t.rounds):
        log, out = t.path(f"log{n}"), f"{disk}/{n}.data"
        recorder = t.start([PERF, "record", "-o", out, "-m", "256K", *EVENT, PROGRAMS + "/ticks", log, "3000", "50"],
                           stderr=subprocess.PIPE)
        t.check(wait_for(lambda: ticking(log)), "the workload does not start")
        time.sleep(0.3)
        if t.run(["fsfreeze", "-f", disk])[0]:
            t.skip("cannot freeze a file system")
        time.sleep(1.8)
        t.check(not t.run(["fsfreeze", "-u", disk])[0], "the file system stays frozen")
        status, err = ended(t, recorder)
        exact(t, log, [out], status, err)
    # while the disk takes nothing, more than half of all ticks come
    t.check(t.lost * 10 <= t.truth, f"{t.lost} of {t.truth} are lost")


def exact(t, log, files, status, err):
    """Ticks that were sampled, and those told as lost, are all there were. Losses are of all page faults, not of ticks alone: so
    many at most are missing. -> the numbers of the sampled ones"""
    got, said = ticks_of(t, PERF, files, strict=True)
    lost = sum(numbers(r"(\d+) samples? lost", said))
    truth = len(Log(log))
    t.check(status == 0, f"status {status}: {err}")
    t.check(len(got) <= truth <= len(got) + lost, f"{len(got)} sampled + {lost} lost of {truth}: {err} {said}")
    t.saw("samples and lost samples are all there were")
    t.lost, t.truth = t.lost + truth - len(got), t.truth + truth
    t.notes = [f"{t.lost} of {t.truth} lost"]
    return got


@fault("little address space (ulimit -v)", short=6, long=40)
def address_space(t):
    for n in range(t.rounds):
        size = (6 << 20) + n * (120 << 20) // t.rounds
        mode = MODES[n % 3]
        status, _, err = t.run([PERF, "record", "-o", "v.data", "-e", "cpu-clock:u", *mode, PROGRAMS + "/shares", "0.1"],
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        t.check(status is not None, f"{size >> 20} MiB: hangs")
        t.check(status >= 0, f"{size >> 20} MiB: signal {-status}: {err}")
        if not status:
            status, text, err = t.run([PERF, "report", "-i", "v.data", "--stdio"],
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
            t.check(status is not None and status >= 0, f"report with {size >> 20} MiB: status {status}: {err}")
            t.check("hot" in text if not status else err.strip(), f"status {status}: {text} {err}")
            t.saw("recorded")
        else:
            t.check(err.strip(), f"{size >> 20} MiB: status {status} without a word")
            t.saw("refused with a word")


@fault("limit of a memory control group", short=1, long=10)
def memory_group(t):
    t.root()
    group = "/sys/fs/cgroup/memory/perf-faults-%d" % os.getpid()
    try:
        os.mkdir(group)
        t.undo = [["rmdir", group]]
        with open(group + "/memory.limit_in_bytes", "w") as f:
            f.write(str(24 << 20))
    except OSError as why:
        t.skip(f"cannot make a memory control group: {why}")
    for n in range(t.rounds):
        log = t.path(f"log{n}")
        words = [PERF, "record", "-o", "m.data", *EVENT, *MODES[n % 3], PROGRAMS + "/ticks", log, "1500", "20"]
        status, _, err = t.run(["sh", "-c", f"echo $$ >{group}/cgroup.procs; exec \"$@\"", "sh", *words])
        if status == -9:  # the kernel ended it: the same as a kill
            ticks_of(t, PERF, [t.path("m.data")])
            t.saw("ended by the kernel, readable")
            continue
        exact(t, log, [t.path("m.data")], status, err)
    t.note("24 MiB, file included")


@fault("limit of open files (ulimit -n)", short=8, long=60)
def descriptors(t):
    for n in range(t.rounds):
        limit = 3 + n * 60 // t.rounds
        words = ([PROGRAMS + "/shares", "0.1"], ["-a", "sleep", "0.1"], ["-e", "cpu-clock,page-faults,dummy", "true"])[n % 3]
        status, _, err = t.run([PERF, "record", "-o", "n.data", *words],
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
        t.check(status is not None and status >= 0, f"{limit} descriptors: status {status}: {err}")
        if status:
            t.check(err.strip(), f"{limit} descriptors: status {status} without a word")
            t.saw("refused with a word")
            continue
        status, _, err = t.run([PERF, "report", "-i", "n.data", "--stdio"])
        t.check(status == 0, f"{limit} descriptors: report: {err}")
        t.saw("recorded")
