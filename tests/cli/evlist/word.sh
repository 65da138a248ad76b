perf evlist something
