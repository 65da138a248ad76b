perf report --stdio -f --symfs $DATA/root -i $DATA/group.data --group | grep -v '^# (Tip:'
