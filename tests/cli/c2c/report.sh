perf c2c report -f -i $DATA/memory.data --no-source -N | head -150
