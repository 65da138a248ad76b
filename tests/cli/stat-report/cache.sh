$DATA/make-stat -o x --shape 2:1:2:2 --vary 1 cycles=1e9 instructions=2e9; perf stat report --per-cache -i x; perf stat report --per-cache=L2 -i x
