perf evlist -i
