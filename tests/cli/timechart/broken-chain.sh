# a call chain ends where a word is neither an address nor a context: frame pointers led astray
python3 - $DATA <<'P'
import struct, sys
sys.path.insert(0, sys.argv[1] + "/..")
from made import *
fields = [("pid_t prev_pid", 8, 4, 1), ("pid_t next_pid", 12, 4, 1), ("long prev_state", 16, 8, 1)]
r = Recording()
event = r.event("sched:sched_switch", 2, 11, RAW | PERIOD | IP | CALLCHAIN, period=1)
r.machine(cpus=1)
r.tracing({"sched": [format_text("sched_switch", 11, fields, '"%d", REC->next_pid')]})
r.comm(7, 7, "seven")
for time, out, into in (1000, 8, 7), (50_000_000, 7, 8):
    r.sample(event, time, 0x1000, out, out, 0, misc=KERNEL, chain=((1 << 64) - 128, 0x1000, (1 << 64) - 512, 0x2000, (1 << 64) - 1, 0x3000),
             raw=traced(11, out, struct.pack("=iiq", out, into, 1)))
r.write("chain.data")
P
perf timechart -f -i chain.data -o chart.svg 2>/dev/null
sed -n '/<desc>/,/<.desc>/p' chart.svg | sort -u
