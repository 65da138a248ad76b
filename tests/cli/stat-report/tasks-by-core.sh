$DATA/make-stat -o x --cpus any cycles=5 cs=7; perf stat report --per-core -i x
