perf report --stdio -f --symfs $DATA/root -i $DATA/pipe.data --stats | grep -v '^# (Tip:'
