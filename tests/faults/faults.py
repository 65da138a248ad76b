"""What the tests of faults share: a fault is a function that tries something a number of times.

    @fault("disk full", short=3, long=30)
    def disk_full(t):
        for n in range(t.rounds):
            ...
            t.check(ok, "what is wrong")        # raises: the fault does not hold
            t.saw("read to the last record")    # an outcome, counted

t.box is a scratch folder of its own; t.skip(why) gives up with a reason; t.note(text) adds to the outcome.
"""
import collections
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(os.path.dirname(TESTS), "build"))
PERF = os.environ.get("PERF", BUILD + "/perf")
PROGRAMS = os.environ.get("PROGRAMS", BUILD + "/tests/programs")
REF = os.environ.get("REF", "/usr/bin/perf")
TICKS_BASE, TICKS_PAGES = 0x100000000000, 16384
FAULTS = []


class Broken(Exception):
    pass


class Skip(Exception):
    pass


def fault(name, short=1, long=None):
    def add(fn):
        FAULTS.append((name, fn, short, long or short))
        return fn
    return add


def environment(home):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "PERF", "LESS"))}
    env.update(LC_ALL="C", TZ="UTC", PAGER="cat", PERF_CONFIG="/dev/null", DEBUGINFOD_URLS="", HOME=home, TERM="dumb",
               ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1", UBSAN_OPTIONS="halt_on_error=1")
    return env


class Trial:
    def __init__(self, rounds, seed):
        self.rounds = rounds
        self.box = tempfile.mkdtemp(prefix="faults-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        os.chmod(self.box, 0o755)
        self.env = environment(self.box)
        self.random = random.Random(seed)
        self.seen = collections.Counter()
        self.notes = []
        self.tried = 0
        self.lost = self.truth = 0
        self.started = []
        self.undo = []

    def check(self, ok, text):
        if not ok:
            raise Broken(text)

    def saw(self, what):
        self.tried += 1
        self.seen[what] += 1

    def note(self, text):
        self.notes.append(text)

    def skip(self, why):
        raise Skip(why)

    def path(self, name):
        return os.path.join(self.box, name)

    def start(self, words, **how):
        """A program that is ended with the test, whatever happens."""
        how.setdefault("env", self.env)
        how.setdefault("cwd", self.box)
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stderr", subprocess.DEVNULL)
        p = subprocess.Popen([str(w) for w in words], **how)
        self.started.append(p)
        return p

    def run(self, words, limit=240, **how):
        """-> (status, output, errors); a status of None: not done in time"""
        how.setdefault("env", self.env)
        how.setdefault("cwd", self.box)
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        try:
            done = subprocess.run([str(w) for w in words], timeout=limit, **how)
        except subprocess.TimeoutExpired as late:
            return None, "", (late.stderr or b"").decode("utf8", "replace")
        return (done.returncode, (done.stdout or b"").decode("utf8", "replace"),
                (done.stderr or b"").decode("utf8", "replace"))

    def each(self, fn, at_once=4):
        """fn(n) for each round; the first that breaks breaks the fault."""
        with ThreadPoolExecutor(at_once) as pool:
            for _ in pool.map(fn, range(self.rounds)):
                pass

    def root(self):
        if os.getuid():
            self.skip("needs root")

    def close(self):
        for p in self.started:
            if p.poll() is None:
                p.kill()
            p.wait()
        for words in reversed(self.undo):
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.box, ignore_errors=True)


class Log:
    """What the program `ticks` says it did."""

    def __init__(self, path):
        with open(path, "rb") as f:
            n, = struct.unpack("<Q", f.read(8))
            self.times = struct.unpack(f"<{n}Q", f.read(8 * n))

    def __len__(self):
        return len(self.times)


def wait_for(condition, seconds=120):
    """False when it does not come true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def ticked(path):
    """-> how often the program `ticks` did"""
    try:
        with open(path, "rb") as f:
            return struct.unpack("<Q", f.read(8))[0]
    except (OSError, struct.error):
        return 0


def ticking(path):
    """Has the program `ticks` begun?"""
    return ticked(path) > 0


def read_ticks(text):
    """The numbers of the ticks (modulo TICKS_PAGES, in the order of the text), from `script -F addr`."""
    out = []
    for word in text.split():
        try:
            at = int(word, 16) - TICKS_BASE
        except ValueError:
            continue
        if 0 <= at < 4096 * TICKS_PAGES:
            out.append(at >> 12)
    return out


def unrolled(ticks):
    """Numbers without the modulo: they only grow."""
    out, turn, last = [], 0, -1
    for n in ticks:
        if n < last - TICKS_PAGES // 2:
            turn += TICKS_PAGES
        last = n
        out.append(n + turn)
    return out


# Sampled exactly: each tick is one page fault, and each page fault a sample.
EVENT = ["-e", "page-faults:u", "-c", "1", "-d", "-k", "CLOCK_MONOTONIC"]


def ticks_of(t, perf, files, strict=False, pid=None):
    """-> (numbers of the ticks that the recordings hold, what was said on stderr)"""
    out, said = [], ""
    for file in files:
        status, text, err = t.run([perf, "script", "-i", file, "-F", "addr", *([f"--pid={pid}"] if pid else [])])
        t.check(status is not None, f"{perf} script {file}: hangs")
        t.check(status in ((0,) if strict else (0, 3)) or (perf == REF and status != -11),
                f"{perf} script {file}: status {status}: {err}")
        out += read_ticks(text)
        said += err
    return unrolled(out), said


def span(ticks):
    return f"{len(ticks)} of {ticks[0]}..{ticks[-1]}" if ticks else "none"


def whole(ticks):
    """Do they follow each other without a hole?"""
    return ticks == list(range(ticks[0], ticks[-1] + 1)) if ticks else True


def numbers(pattern, text):
    return [int(m) for m in re.findall(pattern, text)]
