#!/usr/bin/env python3
"""Runs a program on a terminal of its own, types keys, and prints what stands on the screen.

  tests/screen.py [-s COLUMNSxROWS] [-t TERM] [-l LOCALE] [--attributes] COMMAND [STEP ...]

COMMAND is a shell's. A STEP is what is typed: characters, or one of the names of KEYS below in angle
brackets ("abc<enter>"), or a mouse's ("<click10x3>", "<wheel1x1>" down); "=" prints the screen; "@COLUMNSxROWS" resizes the terminal; "!SIGNAL" sends
a signal to the program; "~TEXT" waits until the text is on the screen. After each step the program
is waited for: until it sleeps, has read all keys, and nothing more is to be read from it; but not when
it begins and the first step is "~TEXT", and not after a step that begins with "^". At the
end the program must have ended; its status is printed, and what state the terminal is left in.

With --attributes, characters that are reversed, bold, underlined or coloured are told by a second
block of lines: r, b, u, and the colour's digit.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

LIMIT = 45  # seconds that a step may take
KEYS = {"enter": "\r", "esc": "\x1b", "tab": "\t", "backtab": "\x1b[Z", "up": "\x1bOA", "down": "\x1bOB",
        "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF", "pgup": "\x1b[5~",
        "pgdn": "\x1b[6~", "f1": "\x1bOP", "ctrl-right": "\x1b[1;5C", "bs": "\x7f", "space": " ", "ctrl-c": "\x03", "ctrl-l": "\x0c", "ctrl-u": "\x15",
        "lt": "<", "byte-ff": "\udcff", "byte-e2": "\udce2"}


class Screen:
    """A terminal's cells, as xterm and vt100 would have them after these bytes."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.other = None       # the normal screen, while the alternate one is shown
        self.cursor_hidden = self.mouse = self.keypad = False
        self.pending = b""
        self.reset()

    def reset(self):
        self.cells = [self.blank_row() for _ in range(self.rows)]
        self.x = self.y = 0
        self.style = ""
        self.colour = None
        self.top, self.bottom = 0, self.rows - 1
        self.saved = (0, 0)
        self.graphics = [False, False]
        self.shift = 0
        self.last = " "

    def blank(self):
        return (" ", "")

    def blank_row(self):
        return [self.blank() for _ in range(self.columns)]

    def resize(self, columns, rows):
        for cells in filter(None, (self.cells, self.other and self.other[0])):
            for row in cells:
                row[columns:] = []
                row.extend(self.blank() for _ in range(columns - len(row)))
            cells[rows:] = []
            cells.extend([self.blank() for _ in range(columns)] for _ in range(rows - len(cells)))
        self.columns, self.rows = columns, rows
        self.top, self.bottom = 0, rows - 1
        self.x, self.y = min(self.x, columns - 1), min(self.y, rows - 1)

    def scroll(self, n, top=None):
        top = self.top if top is None else top
        for _ in range(abs(n)):
            if n > 0:
                del self.cells[top]
                self.cells.insert(self.bottom, self.blank_row())
            else:
                del self.cells[self.bottom]
                self.cells.insert(top, self.blank_row())

    def put(self, c):
        if self.graphics[self.shift] and c in "qxlkmjtuvwn`a~":
            c = dict(zip("qxlkmjtuvwn`a~", "-|++++++++++#o"))[c]
        if self.x >= self.columns:
            self.x = 0
            self.line_feed()
        attributes = self.style + ("" if self.colour is None else str(self.colour))
        self.cells[self.y][self.x] = (c, attributes)
        self.x += 1
        self.last = c

    def line_feed(self):
        if self.y == self.bottom:
            self.scroll(1)
        elif self.y < self.rows - 1:
            self.y += 1

    def control(self, c):
        if c == "\r":
            self.x = 0
        elif c == "\n":
            self.line_feed()
        elif c == "\b":
            self.x = max(min(self.x, self.columns - 1) - 1, 0)
        elif c == "\t":
            self.x = min((self.x // 8 + 1) * 8, self.columns - 1)
        elif c in "\x0e\x0f":
            self.shift = c == "\x0e"

    def erase(self, y, x0, x1):
        for x in range(max(x0, 0), min(x1, self.columns)):
            self.cells[y][x] = self.blank()

    def select_style(self, numbers):
        for n in numbers or [0]:
            if n == 0:
                self.style, self.colour = "", None
            elif n in (1, 4, 7):
                letter = {1: "b", 4: "u", 7: "r"}[n]
                self.style = "".join(sorted(set(self.style + letter)))
            elif n in (22, 24, 27):
                self.style = self.style.replace({22: "b", 24: "u", 27: "r"}[n], "")
            elif 30 <= n <= 37:
                self.colour = n - 30
            elif n == 39:
                self.colour = None

    def set_mode(self, numbers, on):
        for n in numbers:
            if n == 25:
                self.cursor_hidden = not on
            elif n in (1000, 1002, 1003):
                self.mouse = on
            elif n == 1:
                self.keypad = on
            elif n in (47, 1047, 1049):
                if on and self.other is None:
                    self.other = (self.cells, self.x, self.y)
                    self.cells = [self.blank_row() for _ in range(self.rows)]
                elif not on and self.other is not None:
                    self.cells, self.x, self.y = self.other
                    self.other = None

    def sequence(self, private, numbers, final):
        n = max(numbers[0] if numbers else 1, 1)
        if private:
            if private == "?" and final in "hl":
                self.set_mode(numbers, final == "h")
            return
        x, y = min(self.x, self.columns - 1), self.y
        row = self.cells[y]
        if final == "H" or final == "f":
            self.y = min(n, self.rows) - 1
            self.x = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif final == "A":
            self.y = max(y - n, 0)
        elif final in "Be":
            self.y = min(y + n, self.rows - 1)
        elif final in "Ca":
            self.x = min(x + n, self.columns - 1)
        elif final == "D":
            self.x = max(x - n, 0)
        elif final in "G`":
            self.x = min(n, self.columns) - 1
        elif final == "d":
            self.y = min(n, self.rows) - 1
        elif final == "J":
            what = numbers[0] if numbers else 0
            for line in range(self.rows):
                if what == 2 or (what == 0 and line > y) or (what == 1 and line < y):
                    self.erase(line, 0, self.columns)
            if what < 2:
                self.erase(y, *((x, self.columns) if what == 0 else (0, x + 1)))
        elif final == "K":
            what = numbers[0] if numbers else 0
            self.erase(y, *[(x, self.columns), (0, x + 1), (0, self.columns)][what])
        elif final == "X":
            self.erase(y, x, x + n)
        elif final == "P":
            del row[x:x + n]
            row.extend(self.blank() for _ in range(self.columns - len(row)))
        elif final == "@":
            row[x:x] = [self.blank() for _ in range(n)]
            del row[self.columns:]
        elif final == "L":
            if self.top <= y <= self.bottom:
                self.scroll(-n, y)
        elif final == "M":
            if self.top <= y <= self.bottom:
                self.scroll(n, y)
        elif final == "S":
            self.scroll(n)
        elif final == "T":
            self.scroll(-n)
        elif final == "b":
            for _ in range(n):
                self.put(self.last)
        elif final == "r":
            self.top = n - 1
            self.bottom = (numbers[1] if len(numbers) > 1 else self.rows) - 1
            self.x = self.y = 0
        elif final == "m":
            self.select_style(numbers)

    TOKEN = re.compile(
        rb"\x1b\[(?P<private>[?>!=]?)(?P<numbers>[0-9;:]*)[ !$\"']?(?P<final>[@-~])"
        rb"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
        rb"|\x1b(?P<set>[()])(?P<charset>.)"
        rb"|\x1b(?P<simple>[^\[\]()])"
        rb"|(?P<text>[\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
        rb"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])")

    def feed(self, data):
        data = re.sub(rb"\$<[0-9.]+[*/]*>", b"", self.pending + data)
        at = 0
        while at < len(data):
            m = self.TOKEN.match(data, at)
            if not m:
                if len(data) - at < 40:  # the rest of it comes later
                    break
                sys.exit(f"the terminal got what it does not know: {data[at:at + 20]!r}")
            at = m.end()
            if m["text"]:
                self.put(m["text"].decode())
            elif m["control"]:
                self.control(m["control"].decode())
            elif m["final"]:
                numbers = [int(n or 0) for n in re.split("[;:]", m["numbers"].decode())] if m["numbers"] else []
                self.sequence(m["private"].decode(), numbers, m["final"].decode())
            elif m["set"]:
                self.graphics[m["set"] == b")"] = m["charset"] == b"0"
            elif m["simple"]:
                self.simple(m["simple"].decode())
        self.pending = data[at:]

    def simple(self, c):
        if c == "7":
            self.saved = (self.x, self.y)
        elif c == "8":
            self.x, self.y = self.saved
        elif c == "M":
            if self.y == self.top:
                self.scroll(-1)
            else:
                self.y = max(self.y - 1, 0)
        elif c == "D":
            self.line_feed()
        elif c == "c":
            self.reset()
        elif c in "=>":
            self.keypad = c == "="

    def text(self):
        return "".join("".join(c for c, _ in row).rstrip() + "\n" for row in self.cells)

    def attributes(self):
        def mark(style):
            return "." if not style else style[-1]
        return "".join("".join(mark(a) for _, a in row).rstrip(".") + "\n" for row in self.cells)


def family(pid):
    """The process and those that it started, without guards that only wait."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found.append(f"/proc/{pid}/task/{task}/stat")
            with open(f"/proc/{pid}/task/{task}/children") as f:
                for child in f.read().split():
                    found += family(child)
    except OSError:
        pass
    return found


def sleeps(pid):
    """Not true of a program that has ended: its status is still to come."""
    paths = family(pid)
    for path in paths:
        try:
            with open(path, "rb") as f:
                state = f.read().rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if state not in b"S Z T" or (state == b"Z" and path == f"/proc/{pid}/task/{pid}/stat"):
            return False
    return bool(paths)


class Program:
    def __init__(self, command, columns, rows, env):
        self.screen = Screen(columns, rows)
        self.master, self.slave = pty.openpty()
        self.set_size(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.status = None
        told, tell = os.pipe()
        self.leader = os.fork()
        if not self.leader:
            self.lead(command, env, tell)
        os.close(tell)
        self.pid = int(os.read(told, 32))
        os.close(told)

    def lead(self, command, env, tell):
        """In the child: a shell's part, whose terminal outlives the program."""
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGWINCH):
            signal.signal(number, signal.SIG_DFL if number == signal.SIGWINCH else signal.SIG_IGN)
        pid = os.fork()
        if not pid:
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.close(self.master)
            os.execvpe("sh", ["sh", "-c", "exec " + command], env)
        os.write(tell, b"%d" % pid)
        status = os.waitpid(pid, 0)[1]
        os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))

    def set_size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            self.screen.feed(os.read(self.master, 65536))
        except OSError:
            return False
        return True

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.leader, os.WNOHANG)
            if pid:
                self.status = os.WEXITSTATUS(status)
        return self.status is not None

    def unread_keys(self):
        return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))[0]

    def settle(self, what):
        """Until it waits for keys, or has ended."""
        quiet, until = 0, time.monotonic() + LIMIT
        while quiet < 3:
            if time.monotonic() > until:
                self.give_up(f"{what}: the program did not come to rest")
            if self.read(0.015):
                quiet = 0
            elif self.ended():
                quiet += 1
            elif self.screen.text().strip() and not self.unread_keys() and sleeps(self.pid):
                quiet += 1
            else:
                quiet = 0

    def wait_for(self, text):
        until = time.monotonic() + LIMIT
        while text not in self.screen.text():
            if self.ended() and not self.read(0):
                self.give_up(f"the program ended before '{text}' came")
            if time.monotonic() > until:
                self.give_up(f"'{text}' did not come")
            self.read(0.05)

    def give_up(self, why):
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"{why}; the screen was:\n{self.screen.text()}")


def typed(text):
    def key(m):
        if m[1] in KEYS:
            return KEYS[m[1]]
        button, column, row = re.fullmatch(r"(click|wheel)(\d+)x(\d+)", m[1]).groups()
        if button == "wheel":
            return f"\x1b[<65;{column};{row}M"
        return f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"
    return re.sub("<([a-z0-9-]+)>", key, text).encode("utf8", "surrogateescape")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("-s", default="80x24")
    p.add_argument("-t", default="xterm-256color")
    p.add_argument("-l", default="C")
    p.add_argument("--attributes", action="store_true")
    p.add_argument("command")
    p.add_argument("steps", nargs="*")
    o = p.parse_args()
    env = dict(os.environ, TERM=o.t, LC_ALL=o.l)
    env.pop("COLUMNS", None)
    env.pop("LINES", None)
    run = Program(o.command, *map(int, o.s.split("x")), env)
    if not o.steps or o.steps[0][0] != "~":
        run.settle("beginning")
    for n, step in enumerate(o.steps):
        if step == "=":
            print(f"-- screen after {' '.join(o.steps[:n]) or 'nothing'}")
            print(run.screen.text() + (run.screen.attributes() if o.attributes else ""), end="")
        elif step[0] == "@":
            columns, rows = map(int, step[1:].split("x"))
            run.screen.resize(columns, rows)
            run.set_size(columns, rows)
            os.kill(run.pid, signal.SIGWINCH)
        elif step[0] == "!":
            os.kill(run.pid, getattr(signal, "SIG" + step[1:]))
        elif step[0] == "~":
            run.wait_for(step[1:])
            continue
        else:
            os.write(run.master, typed(step.removeprefix("^")))
        if step[0] not in "=^":
            run.settle(step)
    if not run.ended():
        run.give_up("the program did not end")
    end = time.monotonic() + 5  # a guard may still be putting the terminal back
    while time.monotonic() < end and (run.screen.other is not None or
                                      termios.tcgetattr(run.slave) != run.before):
        run.read(0.02)
    while run.read(0.02):
        pass
    print("-- status", run.status)
    left = [what for what, wrong in (("the alternate screen", run.screen.other is not None),
                                     ("no cursor", run.screen.cursor_hidden),
                                     ("the mouse", run.screen.mouse),
                                     ("modes", termios.tcgetattr(run.slave) != run.before)) if wrong]
    print("-- terminal left with", ", ".join(left) if left else "nothing changed")


if __name__ == "__main__":
    main()
