$DATA/make-stat -o x --cpus any --threads 5:ab,6:cd --aggr thread cycles=5:70 instructions=100; perf stat report -i x
