"""The browsers under random keys, clicks and sizes of the terminal: browse(perf, words, seed, keys, env, box) types them and
then leaves. Returns what went wrong, or None. A seed always gives the same keys and sizes."""
import contextlib
import fcntl
import os
import pty
import random
import select
import signal
import struct
import termios
import time

LIMIT = 60  # seconds until all keys are read, and until it has ended after the last one
LETTERS = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789+/?&<>.,%$*[( "
NAMED = ["\r", "\x1b", "\t", "\x1b[Z", "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1bOH", "\x1bOF", "\x1b[5~", "\x1b[6~", "\x7f",
         "\x15", "\xff", "\x1b[", "\x1b[1;5C", "\u20ac"]
COMMANDS = {
    "report": "report -f --symfs {data}/root -i {data}/chains.data",
    "report of a group": "report -f -i {data}/group.data",
    "report of memory": "report -f --mem-mode -i {data}/memory.data",
    "annotate": "annotate -f --symfs {data}/root -i {data}/chains.data",
    "diff": "diff -f --symfs {data}/root {data}/chains.data {data}/pipe.data",
    "script": "script -f --tui -i {data}/comms.data",
}


def resize(terminal, columns, rows):
    with contextlib.suppress(OSError):  # it may just have ended
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def press(rng):
    """The bytes of a key, or of a click or a turn of the wheel."""
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(LETTERS)
    if kind < 0.95:
        return rng.choice(NAMED)
    return f"\x1b[<{rng.choice((0, 64, 65))};{rng.randrange(1, 130)};{rng.randrange(1, 50)}M"


class Browser:
    def __init__(self, words, env, box):
        self.status, self.written = None, b""
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.chdir(box)
            resize(0, 80, 24)
            os.execve(words[0], words, env)

    def drain(self, seconds):
        """Reads what it writes for so long; False once it has ended."""
        until = time.monotonic() + seconds
        while self.status is None:
            if select.select([self.terminal], [], [], max(until - time.monotonic(), 0))[0]:
                try:
                    self.written = (self.written + os.read(self.terminal, 65536))[-8000:]
                    continue
                except OSError:  # nobody has the terminal any more
                    self.status = os.waitpid(self.pid, 0)[1]
                    os.close(self.terminal)
            elif time.monotonic() >= until:
                break
        return self.status is None

    def type(self, text):
        with contextlib.suppress(OSError):
            os.write(self.terminal, text.encode("latin-1" if text == "\xff" else "utf8"))

    def leave(self):
        """Whether it ended when asked to: pages and questions are left one by one."""
        until = time.monotonic() + LIMIT
        while self.drain(0.1):
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
                self.drain(LIMIT)
                return False
            self.type("\x03")
        return True


def wrong_with(browser, ended):
    said = browser.written.decode("utf8", "replace")
    if not ended:
        return f"did not end when asked to: {said[-2000:]}"
    killed = os.WIFSIGNALED(browser.status) and os.WTERMSIG(browser.status) != signal.SIGINT  # that before its first screen
    if killed or "Sanitizer" in said or "runtime error" in said:
        return f"status {browser.status}: {said[-3000:]}"
    return None


def browse(words, seed, keys, env, box):
    rng = random.Random(seed)
    env = env | {"TERM": rng.choice(("xterm", "vt100", "linux", "screen", "xterm-256color"))}
    browser = Browser(words, env, box)
    browser.drain(0.3)
    for _ in range(keys):
        if rng.random() < 0.1:
            resize(browser.terminal, rng.choice((1, 20, 40, 41, 80, 200)), rng.choice((1, 9, 10, 11, 24, 60)))
        key = press(rng)
        if browser.drain(rng.choice((0, 0, 0, 0.01))):
            browser.type(key)
        elif wrong_with(browser, True):
            break
        else:  # a key has left it: the next ones are for another
            browser = Browser(words, env, box)
            browser.drain(0.3)
    return wrong_with(browser, browser.leave())
