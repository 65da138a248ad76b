perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data | grep -v '^# (Tip:'
