"""What a row of the table is, and how one is measured and printed."""
import os
from dataclasses import dataclass, field

from measure import median, ratios

# name: (what it is called, factor, digits)
MEASURES = {
    "wall": ("wall, ms", 1000, 1),
    "cpu": ("user+system CPU, ms", 1000, 1),
    "own": ("perf's own CPU, ms", 1000, 1),
    "each": ("perf's own CPU a sample, ns", 1e9, 0),
    "slow": ("workload's CPU, x of alone", 1, 3),
    "peak": ("peak memory, MiB", 1, 1),
    "size": ("file, KiB", 1 / 1024, 1),
    "printed": ("text, KiB", 1 / 1024, 1),
    "samples": ("samples", 1, 0),
    "lost": ("events lost", 1, 0),
    "rate": ("samples a CPU second, M", 1e-6, 3),
}


@dataclass
class Target:
    """At most (or, at_least, no less than) so much: a figure in the measure's unit, or a ratio (x) of ours to the
    reference's."""
    measure: str
    at_most: float = None
    x: float = None
    text: str = ""
    at_least: float = None

    def verdict(self, value, ratio):
        if self.at_least is not None:
            return f">= {self.at_least:g}" + (": met" if value >= self.at_least else ": NOT met")
        got, limit = (ratio, self.x) if self.x is not None else (value, self.at_most)
        words = self.text or (f"<= {limit:.3g}x" if self.x is not None else f"<= {limit:g}")
        if got is None:
            return words + ": not known"
        return words + (": met" if got <= limit else ": NOT met")


@dataclass
class Row:
    name: str
    line: str              # the command; {perf} and the words of Bench.words, {input}
    about: str = ""
    input: str = None      # one of inputs.INPUTS
    instead: str = None    # what the reference does where it has no such command
    file: str = None       # what it writes: its size, samples and losses are told
    told: str = None       # a file that has the samples and the events lost, as numbers, where the command says so
    same: bool = False     # both must print the same text
    against: str = None    # what the reference's column runs where two of ours are compared; writes the file, too
    alone: str = None      # the workload without perf, to compare its CPU time with
    targets: tuple = ()
    rounds: int = None     # instead of the usual number
    large: bool = False    # only when named
    measures: tuple = ("wall", "cpu", "own", "each", "slow", "peak", "size", "printed", "samples", "lost", "rate")


@dataclass
class Result:
    """values[who][measure]: one a round."""
    row: Row
    values: dict = field(default_factory=lambda: {"ours": {}, "ref": {}})
    same: bool = None
    skipped: str = None
    by_ours: bool = False  # the input: the reference's recorder failed
    ended: bool = False  # the reference, which took too long or too much memory: its figures are the least

    def add(self, who, got):
        for name, value in got.items():
            if name in MEASURES:
                self.values[who].setdefault(name, []).append(value)


def one_run(bench, row, who, words, digest, alone):
    perf = bench.ours if who == "ours" else bench.ref
    line = row.line if who == "ours" else row.against or row.instead or row.line
    got = bench.run(bench.words(line, perf=perf, **words), digest)
    if got.get("ended"):
        return got
    if row.file and (line == row.line or row.against):
        path = bench.words(row.file)
        got["size"] = os.path.getsize(path)
        if row.measures and "samples" in row.measures:
            got["samples"], got["lost"] = bench.tally(path)[:2]
            if "own" in got and got["samples"] > 1000:
                got["each"] = got["own"] / got["samples"]
        os.unlink(path)
    if row.told:
        path = bench.words(row.told)
        if os.path.exists(path):
            got["samples"], got["lost"] = map(int, open(path).read().split())
            os.unlink(path)
    if alone and "workload" in got:
        got["slow"] = got["workload"] / alone
    if words.get("samples", 0) > 1000 and got["cpu"]:
        got["rate"] = words["samples"] / got["cpu"]
    return got


def measure(bench, row, inputs):
    result = Result(row)
    words = inputs.words(row.input) if row.input else {}
    result.by_ours = row.input in inputs.by_ours
    rounds = row.rounds or bench.rounds
    # a round that does not count: warms caches; what is printed is compared
    first = {who: one_run(bench, row, who, words, row.file is None, None) for who in ("ours", "ref")}
    result.ended = "ended" in first["ref"]
    if "ended" in first["ours"]:
        result.skipped = "ours was ended: it took too long, or too much memory"
        return result
    if result.ended:
        result.add("ref", first["ref"])
    elif row.same:
        result.same = first["ours"]["text"] == first["ref"]["text"]
    for who, got in first.items():
        if "printed" in got:
            result.values[who]["printed"] = [got["printed"]]
    for _ in range(rounds):
        alone = bench.run(bench.words("{inner} " + row.alone, **words))["workload"] if row.alone else None
        for who in ("ours",) if result.ended else ("ours", "ref"):
            result.add(who, one_run(bench, row, who, words, False, alone))
    return result


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def lines(result):
    """-> the lines of the table for one row"""
    row = result.row
    out = [f"{row.name}: {row.about}" if row.about else row.name]
    if result.skipped:
        return [out[0], f"  skipped: {result.skipped}"]
    targets = {t.measure: t for t in row.targets}
    for name, (title, factor, digits) in MEASURES.items():
        ours, ref = result.values["ours"].get(name), result.values["ref"].get(name)
        if name not in row.measures or not ours:
            continue
        if name in ("lost", "printed") and not any(ours) and not any(ref or []) and name not in targets:
            continue
        a, b = median(ours) * factor, median(ref) * factor if ref else None
        ratio = ratios(ours[:1] if result.ended else ours, ref) if ref else None
        cells = "%.3f (%.3f-%.3f)" % ratio if ratio else "-"
        than = ">" if result.ended and b is not None else ""
        if than and ratio:
            cells = "<%.4f" % ratio[0]
        target = targets.get(name)
        note = target.verdict(a, ratio and ratio[0]) if target else ""
        out.append(f"  {title:<28}{number(a, digits):>14}{than + number(b, digits):>14}   {cells:<24}{note}".rstrip())
    if result.ended:
        out.append("  the reference was ended: it took too long, or more than half of the memory")
    if result.by_ours:
        out.append("  recorded by ours: the reference's recorder failed three times")
    if result.same is not None:
        out.append("  text                        " + ("the same" if result.same else "NOT THE SAME"))
    return out


HEADING = f"{'':<30}{'ours':>14}{'reference':>14}   {'ours/reference (range)':<24}target"
