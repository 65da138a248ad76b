perf report --stdio -f --symfs $DATA/root -i $DATA/side-band.data --stats | grep -v '^# (Tip:'
