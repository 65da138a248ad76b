perf evlist -g -i $DATA/group.data
