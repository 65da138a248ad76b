perf c2c report -f -i $DATA/memory.data --stats -d peer
