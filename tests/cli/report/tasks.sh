perf report --stdio -f --symfs $DATA/root -i $DATA/side-band.data --tasks | grep -v '^# (Tip:'
