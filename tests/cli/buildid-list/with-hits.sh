perf buildid-list -H -i $DATA/chains.data
