perf version -Q
