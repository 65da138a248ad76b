perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --header | grep -v "^# captured on" | grep -v '^# (Tip:'
