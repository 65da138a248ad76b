$DATA/make-stat -o x --interval 100 --rounds 2 --aggr core task-clock=9e8 cycles=3e9/1e8/5e7 instructions=none
perf script -i x
