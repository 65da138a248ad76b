perf evlist --f
