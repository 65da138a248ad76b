#!/usr/bin/env python3
"""Holds the pages of man/ against the program: what one has and the other hasn't is printed, a line each.

Compared, both ways: the options of each command; the words that options take, which a page names in bold in the
option's own entry or in the section that WORDS gives; the commands; the variables of the configuration. And an
option or a page that is mentioned anywhere in a page has to exist. perf is the one in PATH.
"""
import glob
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where words are listed that are too many for the option's entry.
SECTIONS = {("report", "--sort"): "KEYS", ("report", "--fields"): "KEYS", ("script", "--fields"): "FIELDS",
            ("test", "--workload"): "WORKLOADS"}
# Words that another command's page lists.
ELSEWHERE = {("diff", "--sort"), ("top", "--sort"), ("top", "--fields"), ("top", "--call-graph"), ("top", "--branch-filter")}
# Sections whose words are in the lines after .TP.
TAGS_ONLY = {"KEYS", "WORKLOADS"}
# Their words depend on the machine.
OF_THE_MACHINE = {"--event", "--pfm-events", "--metrics", "--intr-regs", "--user-regs", "--switch-output-event"}
# The help lists their words.
IN_HELP = {("report", "--sort"), ("report", "--fields"), ("report", "--call-graph"), ("report", "--percent-type"),
           ("script", "--fields"), ("record", "--branch-filter"), ("record", "--clockid")}
# What is bold beside the words of an option.
NOT_WORDS = {"--sort": {"sym"}, "--fields": {"sym"},
             "--control": {"ack", "disable", "enable", "evlist", "ping", "snapshot", "stop"},
             "--folded": {"flamegraph.pl", "perf", "script", "stackcollapse-perf.pl"}}
# Not in the help: shells ask for these.
HIDDEN = {"--list-opts", "--raw-dump"}


def perf(*words):
    done = subprocess.run(["perf", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stdout + done.stderr


def plain(line):
    """A line of a page with fonts as <b>, <i> and </> only."""
    parts = re.match(r"\.(BR?|BI|I|IR|RB|RI)\s+(.*)", line)
    if parts:
        fonts = parts[1] if len(parts[1]) > 1 else parts[1] * 2
        words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', parts[2])]
        if len(parts[1]) == 1:
            words = [" ".join(words)]
        line = "".join({"B": "<b>", "I": "<i>", "R": ""}[fonts[i % 2]] + word + ("</>" if fonts[i % 2] != "R" else "")
                       for i, word in enumerate(words))
    line = line.replace("\\fB", "<b>").replace("\\fI", "<i>").replace("\\fR", "</>").replace("\\fP", "</>")
    return line.replace("\\-", "-").replace("\\(bu", "").replace("\\&", "").replace("\\e", "\\")


def page_lines(name):
    with open(f"{TOP}/man/{name}.1", encoding="utf8") as f:
        text = f.read().replace("\\\n", "")
    return [plain(line) for line in text.split("\n")]


def bold(lines):
    found = set()
    for text in re.findall(r"<b>(.*?)(?:</>|<i>|$)", "\n".join(lines)):
        found |= {word.strip("+,") for word in re.split(r"[\s,]+", text)}
    return found - {""}


def section(lines, title):
    """The lines of a section; only those after .TP when only these hold its words."""
    try:
        start = lines.index(".SH " + title) + 1
    except ValueError:
        return []
    end = next((i for i in range(start, len(lines)) if lines[i].startswith(".SH")), len(lines))
    kept = lines[start:end]
    return [line for i, line in enumerate(kept) if i and kept[i - 1] == ".TP"] if title in TAGS_ONLY else kept


def entries(lines):
    """{option: the lines of its entry}"""
    found, names = {}, []
    for i, line in enumerate(lines):
        if i and re.match(r"\.T[PQ]", lines[i - 1]):
            tag = re.sub(r"<.*?>", "", line)
            new = re.findall(r"(?:^|[ ,])(--?[A-Za-z0][A-Za-z0-9-]*)", re.sub(r"[\[=].*?(?=,|$)", "", tag))
            names = new if lines[i - 1] == ".TP" else names + new
            for name in names:
                found.setdefault(name, [])
        elif line.startswith(".S"):
            names = []
        for name in names:
            found[name].append(line)
    return found


# Whose options stand in the page of the command.
SUBCOMMANDS = {"daemon": ("start", "signal", "ping"),
               "kvm": ("stat report", "stat live"),
               "kmem": ("stat",), "c2c": ("record", "report"), "ftrace": ("latency", "profile", "trace"),
               "kwork": ("report", "latency", "timehist", "top"),
               "lock": ("contention", "info", "report"), "mem": ("record", "report", "leaks"), "timechart": ("record",),
               "sched": ("latency", "map", "replay", "timehist", "stats")}


def options_of(command):
    """{option: what names it has}, as -h of the command and of its subcommands shows them."""
    found = {}
    text = perf(command, "-h")
    for sub in suites() if command == "bench" else [sub.split() for sub in SUBCOMMANDS.get(command, ())]:
        text += perf(command, *sub, "-h")
    for line in text.split("\n"):
        if re.match(r"    (-|    --)", line):
            names = re.findall(r"(?:^|, )(--?[A-Za-z0-9-]+)", line.strip().split("  ")[0])
            found.update((name, names) for name in names)
    return found


def suites():
    """Of perf bench: those of each collection."""
    names = re.findall(r"^ *(\w+): ", perf("bench"), re.M)
    return [(name, suite) for name in names if name != "all"
            for suite in re.findall(r"^ *([\w-]+): ", perf("bench", name), re.M) if suite != "all"]


def words_of(command, option):
    """What completion offers for the option's value, or None."""
    kind, _, *rows = perf("--complete", "perf", command, option + "=").split("\n")
    return {row.split("\t")[0].rstrip(":") for row in rows if row} if kind in ("words", "parts") else None


def differ(where, ours, page):
    for name in sorted(ours - page):
        print(f"{where}: not in the page: {name}")
    for name in sorted(page - ours):
        print(f"{where}: only in the page: {name}")


def check_words(command, lines, option, entry):
    words = words_of(command, option)
    if not words or (command, option) in ELSEWHERE:
        return
    title = SECTIONS.get((command, option))
    named = bold(entry) | (bold(section(lines, title)) if title else set())
    named = {name.rstrip(":") for name in named if re.match(r"[a-z]", name)}
    words = {part for word in words for part in word.split(",")}
    if (command, option) in IN_HELP:
        for word in sorted(words - set(re.split(r"[\s,]+", perf(command, "-h", option[2:])))):
            print(f"perf {command} -h: {option} has no word {word}")
    differ(f"perf-{command}.1 {option}", words, named - NOT_WORDS.get(option, set()) | (words & named))


def check_command(command, every):
    if not os.path.exists(f"{TOP}/man/perf-{command}.1"):
        print(f"{command}: no page")
        return
    lines = page_lines("perf-" + command)
    options, documented = options_of(command), entries(lines)
    differ(f"perf-{command}.1", set(options), set(documented))
    every |= set(options)
    for option in sorted(set(options) & set(documented) - OF_THE_MACHINE):
        if option.startswith("--"):
            check_words(command, lines, option, documented[option])


def check_mentions(every, commands):
    known = every | {"--no-" + name[2:] for name in every} | {"--" + name[5:] for name in every if name[:5] == "--no-"}
    for path in sorted(glob.glob(TOP + "/man/*.1")):
        page = os.path.basename(path)[:-2]
        text = re.sub(r"<b>|</>", "", re.sub(r"<i>.*?</>", " ", "\n".join(page_lines(page))))
        for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*[a-z0-9]", text)) - known - HIDDEN - {"--no"}):
            print(f"{page}.1: there is no option {option}")
        for other in sorted(set(re.findall(r"\bperf-([a-z-]+)\(1\)", text.replace(" (1)", "(1)"))) - commands):
            print(f"{page}.1: there is no page perf-{other}(1)")


def check_variables():
    ours = set()
    for path in glob.glob(TOP + "/src/**/*.[ch]", recursive=True):
        with open(path, encoding="utf8") as f:
            text = f.read()
        ours |= set(re.findall(r'config_(?:find|int|bool)\([^"]*?"([a-z-]+\.[a-z_-]+)"', text))
        ours |= set(re.findall(r'\{"([a-z-]+\.[a-z_-]+)", "[a-z-]+"\}', text))
        ours |= set(re.findall(r'"(call-graph\.[a-z-]+)"', text))
    tags = section(page_lines("perf-config"), "VARIABLES")
    ours.discard("section.name")  # of a comment
    differ("perf-config.1 VARIABLES", ours, {name for name in bold(tags) if re.fullmatch(r"[a-z-]+\.[a-z_-]+", name)})


def main():
    commands = set(perf("--list-cmds").split())
    every = set(perf("--list-opts").split())
    differ("perf.1", every, {name for name in entries(page_lines("perf")) if name.startswith("--")})
    for command in sorted(commands):
        check_command(command, every)
    for path in glob.glob(TOP + "/man/perf-*.1"):
        if os.path.basename(path)[5:-2] not in commands:
            print(f"there is no command of {os.path.basename(path)}")
    installed = set(re.findall(r"'(\S+\.1)'", open(TOP + "/man/meson.build").read()))
    differ("man/meson.build", installed, {os.path.basename(path) for path in glob.glob(TOP + "/man/*.1")})
    for sub in ("stat record", "stat report"):
        every |= {word.split("=")[0] for word in re.findall(r"--[a-z0-9-]+", perf(*sub.split(), "-h"))}
    check_mentions(every, commands)
    check_variables()


main()
