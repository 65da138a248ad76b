perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children -p nest -s parent,comm | grep -v '^# (Tip:'
