perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children -S burn,nest | grep -v '^# (Tip:'
