# calls, events and sums for programs: CSV and JSON
perf trace -x, -i $DATA/calls/threads.data 2>&1 | sed -n '1,7p;$p'
perf trace -x ';' -i $DATA/calls/threads.data -e access,futex 2>&1 | head -4
perf trace -j -i $DATA/calls/threads.data 2>&1 | sed -n '1,7p;$p'
perf trace -x, -s --errno-summary -e access,openat,exit* -i $DATA/calls/threads.data 2>&1
perf trace -j -s --errno-summary --summary-mode total -e access,openat,exit* -i $DATA/calls/threads.data 2>&1
perf trace -x, -i $DATA/sched.data --max-events 3 2>&1
perf trace -j -i $DATA/sched.data --max-events 2 2>&1
perf trace -j -i $DATA/sched.data -e sched:sched_switch --max-events 1 --libtraceevent_print 2>&1
# each line is one JSON object, with each call once
perf trace -j -i $DATA/calls/threads.data 2>&1 | python3 -c '
import json, sys
calls = [json.loads(line) for line in sys.stdin]
print(len(calls), len({c["tid"] for c in calls}), sum("result" not in c for c in calls))'
perf trace -i $DATA/calls/threads.data 2>&1 | grep -vc '\.\.\.$'
# what has no row is refused
perf trace -x, -j true 2>&1 | head -1
perf trace -x, -S true 2>&1 | head -1
perf trace -x '"' true 2>&1 | head -1
perf trace -j --call-graph fp -F all true 2>&1 | head -1
perf trace -x, -s --sched true 2>&1 | head -1
