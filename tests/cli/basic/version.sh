perf --version
