perf evlist -h
