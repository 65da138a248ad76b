perf report --stdio -f --symfs $DATA/root -i $DATA/pipe.data --header-only | grep -v "^# captured on" | grep -v '^# (Tip:'
