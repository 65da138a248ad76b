perf report --stdio -f --symfs $DATA/root -i $DATA/compressed.data --no-children -g none | grep -v '^# (Tip:'
