perf evlist -h frequency
