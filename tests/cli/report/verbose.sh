perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -v -s sym 2>/dev/null | grep -v '^# (Tip:'
