perf report --stdio -f --symfs $DATA/root -i $DATA/switches.data | grep -v '^# (Tip:'
