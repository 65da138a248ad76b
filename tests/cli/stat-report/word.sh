$DATA/make-stat -o x cs=5; cp x perf.data; perf stat rep
