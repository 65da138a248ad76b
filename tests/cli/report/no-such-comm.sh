perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --comms nobody | grep -v '^# (Tip:'
