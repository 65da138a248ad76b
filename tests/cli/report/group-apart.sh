perf report --stdio -f --symfs $DATA/root -i $DATA/group.data --no-group | grep -v '^# (Tip:'
