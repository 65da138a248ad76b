#!/usr/bin/env python3
"""What TAB makes of a command line, in a shell that runs in a terminal of its own.

  shells.py bash|bash-package|zsh|fish

Prints "what was typed|what became of it" for each of LINES. bash runs without the bash-completion package,
bash-package with it. Status 77: the shell isn't there. perf is the one in PATH; the tracepoints are those of a
folder that stands in for tracefs.
"""
import os
import pty
import shutil
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRIPTS = TOP + "/completion"
EDITED = "\x18\x10\x15"  # write the line into the log, then empty it
PACKAGE = "/usr/share/bash-completion/bash_completion"
LINES = [
    "perf evli", "perf --no-p", "perf help evl", "perf --debug verbose report --call-g",
    "perf record -e duration_t", "perf stat -e duration_time,user_t", "perf record -e sch", "perf record -e sched:sched_sw",
    "perf record -e 'duration_time,sched:sched_pr", "perf list sched:sched_pr",
    "perf report -s comm,dso_f", "perf report --sort=+symbol_d", "perf report -F overhead,sy", "perf report -g graph,0.5,cou",
    "perf report --percent-type global-h", "perf script -F comm,symo", "perf script -F trace:+srcl",
    "perf record --call-graph dwarf,", "perf record -j any_c", "perf report --no-chi", "perf stat report --per-sock",
    "perf stat record -e user_t", "perf report -i some-f", "perf report --input=some-f", "perf buildid-cache -a some-f",
    "perf record some-prog", "perf record -g -- perf evli", "perf report --max-stack some",
]


class Shell:
    """A shell that writes the edited line into a file when C-x C-p is typed."""

    def __init__(self, argv, setup, env):
        self.log = "edited"
        open(self.log, "w").close()
        pid, self.fd = pty.fork()
        if not pid:
            os.execvpe(argv[0], argv, env)
        threading.Thread(target=self.swallow, daemon=True).start()
        with open("setup", "w", encoding="utf8") as f:
            f.write(setup)
        os.write(self.fd, b". ./setup\n")
        # what is typed before the shell edits a line is lost or comes late
        while self.ask("# ready" + EDITED, 1) != "# ready":
            pass

    def swallow(self):
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass

    def ask(self, keys, limit=30):
        """What the keys make of the line, or "" after that many seconds."""
        with open(self.log, encoding="utf8") as f:
            f.seek(0, os.SEEK_END)
            os.write(self.fd, keys.encode())
            end, line = time.time() + limit, ""
            while time.time() < end:
                line += f.readline()
                if not line.endswith("\n"):
                    time.sleep(0.01)
                elif keys.startswith("#") or not line.startswith("#"):
                    return line.rstrip("\n")
                else:
                    line = ""
        return ""

    def complete(self, line):
        return self.ask(line + "\t" + EDITED)


def bash(env, package):
    setup = f"""PS1='$ '
bind 'set enable-bracketed-paste off'
bind -x '"\\C-x\\C-p": printf "%s\\n" "$READLINE_LINE" >>edited'
{'. ' + PACKAGE if package else ''}
. {SCRIPTS}/perf.bash"""
    return Shell(["bash", "--norc", "--noprofile", "-i"], setup, env).complete


def zsh(env):
    setup = f"""PS1='$ '
unset zle_bracketed_paste
line() {{ print -r -- "$BUFFER" >>edited }}
zle -N line
bindkey '^X^P' line
bindkey '^U' kill-whole-line
fpath=({SCRIPTS} $fpath)
autoload -Uz compinit
compinit -u -D"""
    return Shell(["zsh", "-f", "-i"], setup, env).complete


def fish(env):
    """Without a terminal: it is asked for what it would offer, which is one word here."""
    def complete(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {SCRIPTS}/perf.fish; complete -C $argv[1]", line],
                              env=env, capture_output=True, text=True)
        words = [word.split("\t")[0] for word in done.stdout.split("\n") if word]
        quote = "'" if line.split(" ")[-1].startswith("'") else ""
        return line[:line.rindex(" ") + 1] + quote + " | ".join(words)
    return complete


def main():
    name = sys.argv[1]
    program = name.split("-")[0]
    if not shutil.which(program):
        sys.exit(print(f"no {program}", file=sys.stderr) or 77)
    if name == "bash-package" and not os.path.exists(PACKAGE):
        sys.exit(print("no package bash-completion", file=sys.stderr) or 77)
    for event in "switch", "process_fork":
        os.makedirs("debugfs/tracing/events/sched/sched_" + event)
    os.makedirs("debugfs/tracing/events/irq/irq_handler_entry")
    open("some-file", "w").close()
    os.makedirs("programs")
    with open("programs/some-program", "w", encoding="utf8") as f:
        os.fchmod(f.fileno(), 0o755)
    env = dict(os.environ, TERM="dumb", HISTFILE="", PERF_DEBUGFS_DIR=os.getcwd() + "/debugfs",
               PATH=os.getcwd() + "/programs:" + os.environ["PATH"])
    complete = bash(env, name == "bash-package") if program == "bash" else zsh(env) if program == "zsh" else fish(env)
    for line in LINES:
        print(f"{line}|{complete(line)}|")


main()
