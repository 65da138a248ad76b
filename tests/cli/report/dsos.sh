perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children --dsos threads | grep -v '^# (Tip:'
