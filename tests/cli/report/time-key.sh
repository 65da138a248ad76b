perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -s time,comm --time-quantum 100ms | grep -v '^# (Tip:'
