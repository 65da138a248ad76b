$DATA/make-stat -o x task-clock=9.5e8 cs=120 cycles=3.1e9 instructions=4.7e9 branches=9e8 branch-misses=1.4e7; perf stat -x, report -i x
