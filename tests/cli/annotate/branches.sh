# branch stacks: instructions per cycle, cycles of blocks, how often code ran between branches; keys of the browser
ln -s $DATA data
cat >make.py <<'PY'
import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import made

BASE, ENTRY, FIRST, BODY, TEST, LAST = 0x555555555000, 0x11e8, 0x11f3, 0x11f5, 0x1219, 0x1220
AT = BASE - 0x1000
MISPREDICTED, PREDICTED = 1, 2
def branch(start, to, cycles, flags=PREDICTED):
    return AT + start, AT + to, flags | cycles << 4

for name, counts in ("cycles", 1), ("plain", 0):
    r = made.Recording()
    event = r.event("cycles:u", 0, 0, made.IP | made.PERIOD | made.BRANCH_STACK)
    r.comm(7, 7, "threads")
    r.mmap2(7, BASE, 0x1000, 0x1000, "/tmp/t/threads")
    for i in range(6):
        # the call, the jump to the condition, and the loop: its first pass is the shorter block with the same end
        ran = [branch(0x1300, ENTRY, 0), branch(FIRST, TEST, 4 * counts), branch(LAST, BODY, 1 * counts)]
        ran += [branch(LAST, BODY, (4 + i) * counts, PREDICTED if n else MISPREDICTED) for n in range(3)]
        r.sample(event, 1000 + i, ip=AT + BODY + (17 if i % 3 else 0), pid=7, tid=7, branches=ran[::-1])
    r.features[15] = b""
    r.write(name + ".data")
PY
python3 make.py "$DATA" "$PWD"
perf annotate --stdio -f --symfs data/root -i cycles.data >text 2>why || true
if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
cat text
perf annotate --stdio2 -f --symfs data/root -i cycles.data 2>/dev/null
# without cycles no columns
perf annotate --stdio -f --symfs data/root -i plain.data --stdio-color 2>/dev/null | tail -n +4
perf annotate --stdio2 -f --symfs data/root -i plain.data 2>/dev/null | head -4
screen -s 96x26 'perf annotate -f --symfs data/root -i cycles.data' = c = q
screen -s 96x12 "perf report -f --no-branch-stack --symfs data/root -i cycles.data" a = q
screen -s 80x12 'perf annotate -f --symfs data/root -i plain.data' c = q
