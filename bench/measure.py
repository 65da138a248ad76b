"""Running a command and what it cost; medians and ratios of rounds."""
import hashlib
import os
import statistics
import subprocess
import time


class Skip(Exception):
    """This machine cannot do that; says why."""


class Failed(Exception):
    """A command that is measured did not succeed."""


def stubbornly(what, times=12):
    """Does it, again when it failed: perf 6.1 aborts while others record this machine with build-ids, because the kernel
    then marks its records as if they held some, too."""
    for _ in range(times - 1):
        try:
            return what()
        except Failed:
            time.sleep(1)
    return what()


class Bench:
    """Where everything is: both perfs, the programs that come with the build, a folder for inputs."""

    def __init__(self, ours, ref, folder, rounds, seconds=120):
        build = os.path.dirname(os.path.abspath(ours))
        self.ours, self.ref, self.folder, self.rounds = os.path.abspath(ours), ref, os.path.abspath(folder), rounds
        self.programs = os.path.join(build, "tests", "programs")
        self.cost = os.path.join(build, "bench", "cost")
        self.records = os.path.join(build, "bench", "records")
        self.made = {}
        self.env = dict(os.environ, PAGER="cat", PERF_CONFIG="/dev/null", DEBUGINFOD_URLS="")
        # what is measured is ended when it takes longer, or more than half of the memory
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
        self.limits = {"COST_SECONDS": str(seconds), "COST_MIB": str(memory // 2)}
        for name in ("cost", "records"):
            if not os.access(getattr(self, name), os.X_OK):
                raise SystemExit(f"bench: no '{getattr(self, name)}': build first")

    def words(self, line, **more):
        return line.format(dir=self.folder, ref=self.ref, ours=self.ours, programs=self.programs, cost=self.cost,
                           inner=f"{self.cost} {self.folder}/inner", **more)

    def shell(self, line, **more):
        """Runs what makes an input."""
        done = subprocess.run(self.words(line, **more), shell=True, stdin=subprocess.DEVNULL, env=self.env,
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            raise Failed(f"exit status {done.returncode} of: {self.words(line, **more)}: {done.stdout[-300:].strip()}")
        return done.stdout

    def run(self, line, digest=False):
        """run_once, until it succeeds"""
        return stubbornly(lambda: self.run_once(line, digest))

    def run_once(self, line, digest):
        """-> {"wall": s, "cpu": s, "peak": MiB, ...} of one run of a line that is ready

        digest: reads what it prints: adds "printed" (bytes) and "text" (their hash); else that is thrown away.
        When the line has a measured command inside ({inner}), adds "workload" (its CPU) and "own" (what is left).
        When it was ended, having taken too long or too much: only the three, and "ended": at least that much.
        """
        spent, inner = self.folder + "/spent", self.folder + "/inner"
        for path in (spent, inner):
            if os.path.exists(path):
                os.unlink(path)
        child = subprocess.Popen([self.cost, spent, "sh", "-c", "exec " + line], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE if digest else subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=dict(self.env, **self.limits), cwd=self.folder)
        got = {}
        if digest:
            text, printed = hashlib.blake2b(), 0
            while block := child.stdout.read(1 << 20):
                text.update(block)
                printed += len(block)
            got = {"printed": printed, "text": text.hexdigest()}
        child.wait()
        figures = list(map(float, open(spent).read().split())) if os.path.exists(spent) else [0, 0, 0, 0]
        costs = dict(zip(("wall", "cpu", "peak"), figures))
        if figures[3]:
            return dict(costs, ended=True)
        if child.returncode:
            raise Failed(f"exit status {child.returncode} of: {line}")
        got.update(costs)
        if os.path.exists(inner):
            _, got["workload"], peak, _ = map(float, open(inner).read().split())
            if peak >= got["peak"]:
                del got["peak"]  # the command's, not the recorder's
            got["own"] = max(0.0, got["cpu"] - got["workload"])
        return got

    def tally(self, path):
        """-> (samples, events lost, first time, last time) of a recording"""
        samples, lost, lost_samples, first, last = map(int, self.shell(f"{self.records} tally {path}").split())
        return samples, lost + lost_samples, first, last


def median(values):
    return statistics.median(values)


def ratios(ours, ref):
    """-> (median, least, greatest) of ours/ref round by round, or None"""
    all_ = sorted(a / b for a, b in zip(ours, ref) if b)
    return (statistics.median(all_), all_[0], all_[-1]) if all_ else None
