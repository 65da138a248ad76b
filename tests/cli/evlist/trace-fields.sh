perf evlist --trace-fields -i $DATA/switches.data
