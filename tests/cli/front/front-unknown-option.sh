perf --nonsense
