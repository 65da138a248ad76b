perf report --stdio -f --symfs $DATA/root -i $DATA/wide.data --header-only -I | grep -v "^# captured on" | grep -v '^# (Tip:'
