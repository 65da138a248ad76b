perf config plain
