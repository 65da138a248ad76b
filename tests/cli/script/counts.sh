$DATA/make-stat -o x --interval 100 --rounds 2 task-clock=9e8 cs=70 cycles=3e9/1e8/5e7 instructions=none
perf script -i x
