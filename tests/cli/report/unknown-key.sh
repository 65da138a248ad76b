perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -s nosuchkey | grep -v '^# (Tip:'
