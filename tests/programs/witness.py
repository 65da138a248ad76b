# SPDX-License-Identifier: MIT
"""For gdb: gdb -batch -x witness.py --args PROGRAM ARGUMENTS. At each function that matches $WITNESS_AT ("^leaf_") and is reached,
$WITNESS_TIMES (100) times at most, it writes a line "FUNCTION: OFFSET OFFSET ..." of its callers, innermost first, to the file
"witness": places in their files, as perf script shows them, of the instructions that call."""
import os

import gdb  # pylint: disable=import-error


def maps():
    out = []
    with open(f"/proc/{gdb.selected_inferior().pid}/maps", encoding="ascii") as f:
        for line in f:
            span, _, offset = line.split()[:3]
            start, end = (int(x, 16) for x in span.split("-"))
            out.append((start, end, int(offset, 16)))
    return out


def chain():
    frame, known, out = gdb.newest_frame(), maps(), []
    interrupted = False
    frame = frame.older()
    while frame:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):  # which are no frames on the stack
            # what was interrupted by a signal did not call
            pc = frame.pc() - (0 if interrupted else 1)
            interrupted = frame.type() == gdb.SIGTRAMP_FRAME
            for start, end, offset in known:
                if start <= pc < end:
                    out.append("%x" % (pc - start + offset))
        frame = frame.older()
    return out


gdb.execute("set pagination off")
gdb.execute("set breakpoint pending on")
gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
gdb.execute("handle SIGUSR1 nostop noprint pass")
AT = os.environ.get("WITNESS_AT", "^leaf_")
gdb.execute("tbreak main", to_string=True)
gdb.execute("run", to_string=True)  # now the libraries are there
gdb.execute("rbreak " + AT if AT[0] == "^" else "break " + AT, to_string=True)
gdb.execute("continue", to_string=True)
with open("witness", "w", encoding="ascii") as told:
    for _ in range(int(os.environ.get("WITNESS_TIMES", "100"))):
        if not gdb.selected_inferior().pid:
            break
        told.write(f"{gdb.newest_frame().name()}: {' '.join(chain())}\n")
        try:
            gdb.execute("continue", to_string=True)
        except gdb.error:
            break
