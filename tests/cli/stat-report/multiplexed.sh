$DATA/make-stat -o x cycles=3e9/1e9/5e8 instructions=none cs=0/0/0; perf stat report -i x
