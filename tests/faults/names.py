"""Names that others chose: control and escape characters in names of commands, files and functions. A
terminal never gets one that it would obey, and a program gets a line a sample, whatever the names are."""
import os
import pty
import re
import shutil
import subprocess

from faults import PERF, PROGRAMS, fault

NAMES = [b"\x1b[2J\x1b]0;x\x07", b"a\rb\x08c\x7f", b"\xc2\x9b31mcsi", b"\x9b31m8bit", b"new\nline", b"%s%n%d\\",
         b"\x1b[31mred", b"\x1b]52;c;QQ\x07"]
OURS = re.compile(rb"\x1b\[(|31|32|33|35)m")


def on_terminal(t, words):
    """What a terminal gets."""
    leader, follower = pty.openpty()
    env = dict(t.env, TERM="xterm")
    p = t.start(words, stdout=follower, env=env)
    os.close(follower)
    out = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    p.wait()
    os.close(leader)
    return out.replace(b"\r\n", b"\n")


def obeyed(text):
    """The first character, if any, that a terminal would obey."""
    text = OURS.sub(b"", text)
    m = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", text)
    if m:
        return m.group()
    try:
        text.decode("utf8")
    except UnicodeDecodeError:
        m = re.search(rb"(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]", text)
        return m and m.group()
    return None


def recording(t, name, n):
    program = os.path.join(t.box.encode(), b"%d-" % n + name.replace(b"/", b"_"))
    shutil.copy(PROGRAMS + "/rename", program)
    file = t.path(f"{n}.data")
    done = subprocess.run([PERF, "record", "-q", "-o", file, "-e", "cpu-clock:u", program, name], env=t.env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    t.check(done.returncode == 0, f"record: {done.stdout}")
    return file


@fault("names with control characters", short=len(NAMES), long=4 * len(NAMES))
def names(t):
    for n in range(t.rounds):
        name = NAMES[n] if n < len(NAMES) else bytes(t.random.randrange(1, 256) for _ in range(t.random.randrange(1, 15)))
        file = recording(t, name.replace(b"/", b"_"), n)
        for words in (["report", "--stdio", "-s", "comm,dso,sym"], ["script"], ["script", "-D"], ["buildid-list"], ["evlist"],
                      ["report", "--header-only"], ["report", "--tasks"], ["script", "--show-mmap-events"]):
            shown = on_terminal(t, [PERF, *words, "-i", file])
            bad = obeyed(shown)
            t.check(not bad, f"{words} of {name}: a terminal gets {bad} in {shown[:300]}")
            # a colour that a name asks for
            t.check(b"\x1b[31mred" not in shown, f"{words} of {name}: a terminal gets {shown[:300]}")
            _, text, err = t.run([PERF, *words, "-i", file])
            bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text + err)
            t.check(not bad, f"{words} of {name}: a file gets {bad} in {text[:300]}")
        status, text, err = t.run([PERF, "script", "-F", "comm", "-i", file])
        lines = text.split("\n")
        _, rows, _ = t.run([PERF, "report", "--stdio", "-q", "-s", "comm", "-g", "none", "-i", file])
        t.check(all("%" in row for row in rows.split("\n") if row.strip()), f"{name}: rows of report are {rows}")
        t.check(status == 0 and not re.search("[\x00-\x08\x0b-\x1f\x7f]", text) and len(set(lines)) <= 4,
                f"{name}: programs get {lines[:3]}: {err}")
        t.saw("shown harmlessly")
