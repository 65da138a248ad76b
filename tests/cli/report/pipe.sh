perf report --stdio -f --symfs $DATA/root -i $DATA/pipe.data | grep -v '^# (Tip:'
