perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --comms second --percentage relative | grep -v '^# (Tip:'
