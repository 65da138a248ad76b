# A plain report of a recording by record --latency: 9 s of one thread, then 1 s of 128 threads at once.
make() { # FILE ALONE WORDS: ALONE samples of the one thread, WORDS the recorded command line
	PYTHONPATH="$DATA/.." python3 - "$1" "$2" "$3" <<'END'
import sys
from made import *
path, alone, words = sys.argv[1], int(sys.argv[2]), sys.argv[3].split()
r = Recording()
r.flags = 1 << 26  # context_switch
e = r.event("cpu-clock", 1, 0, IP | PERIOD)
r.machine()
r.features[CMDLINE] = struct.pack("<I", len(words)) + b"".join(string(w) for w in words)
now = 10
def switch(tid, leaves):
    global now
    now += 10
    r.side(14, 0x2000 if leaves else 0, b"", 1, tid, now, 0)
def sample(tid, period):
    global now
    now += 10
    r.sample(e, now, 0x1000, 1, tid, period=period)
r.comm(1, 1, "serial")
many = range(2, 130)
for tid in many:
    r.fork(1, tid, 1, 1, 5)
    r.comm(1, tid, "parallel", 6, False)
switch(1, False)
for i in range(alone):
    sample(1, 9000000 // alone)
switch(1, True)
for tid in many:
    switch(tid, False)
for tid in many:
    sample(tid, 1000000)
r.write(path)
END
}
ask() { perf report --stdio "$@" 2>&1 | grep -v '^# (Tip:'; }
make latency 1 "perf record --latency -- prog"
ask -i latency -s comm
ask -i latency -s comm -H
ask -i latency -s comm -n -F +period
ask -i latency -s comm -t ';'
echo "first:"
ask -i latency -s comm --latency
echo "as asked for:"
ask -i latency -s comm -F comm,overhead
echo "99 % alone (12672 of 12800), and less (12671 of 12799):"
make alone 12672 "perf record --latency prog"
ask -i alone -s comm
make nearly 12671 "perf record --latency prog"
ask -i nearly -s comm
echo "recorded by other options:"
make switches 1 "perf record --switch-events -- prog --latency"
ask -i switches -s comm
echo "the option is the program's, without --:"
make own 1 "perf record --switch-events -e cpu-clock prog --latency"
ask -i own -s comm | grep -c Latency || :
echo "behind options with values, and those of perf itself:"
make behind 1 "perf --no-pager record -e cpu-clock -F 99 --latency prog"
ask -i behind -s comm | grep -c Latency || :
