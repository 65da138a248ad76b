perf
