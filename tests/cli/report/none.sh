perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none | grep -v '^# (Tip:'
