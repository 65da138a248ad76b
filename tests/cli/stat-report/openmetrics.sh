$DATA/make-stat -o x task-clock=9.5e8 cs=120 cycles=3.1e9 instructions=4.7e9 branches=9e8 branch-misses=1.4e7
perf stat --openmetrics report -i x
perf stat --openmetrics -j report -i x || echo "status $?" >&2
perf stat --openmetrics -x, true || echo "status $?" >&2
