perf stat report x
