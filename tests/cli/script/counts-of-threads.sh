$DATA/make-stat -o x --cpus any --threads 5:ab,6:cd --aggr thread cs=5:70 cycles=0/0/0
perf script -i x
