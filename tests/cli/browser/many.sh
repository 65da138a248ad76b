# 60,000 rows: to the end and back at once; unfolding all of them has a bound
PYTHONPATH="$DATA/.." python3 - <<'END'
import made
all = made.Recording()
cycles = all.event("cycles", 0, 0, made.IP | made.CALLCHAIN | made.PERIOD)
all.machine(cpus=1)
all.comm(100, 100, "worker")
parts = [all.data]
for i in range(60000):
    all.data = b""
    all.sample(cycles, 1000000 + i * 1000, 0x1000, 100, 100, chain=(2**64 - 512, 0x1000, 0x2000, 0x3000))
    parts.append(all.data)
all.data = b"".join(parts)
all.write("many.data")
END
screen -s 80x10 'perf report -f -i many.data --no-children -g graph,0 -s time --time-quantum 1us' '<end>' = '<home>E' = '<pgdn>' = q
