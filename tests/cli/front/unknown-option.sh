perf evlist --fore
