cd $DATA && perf report --stdio -f --symfs $DATA/root -D -i chains.data | grep -v '^# (Tip:'
