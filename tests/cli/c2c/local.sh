perf c2c report -f -i $DATA/memory.data -d lcl -c pid,dso -NN --double-cl --stdio
