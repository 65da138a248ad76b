perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children --symbol-filter=es | grep -v '^# (Tip:'
