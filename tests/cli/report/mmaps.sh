perf report --stdio -f --symfs $DATA/root -i $DATA/side-band.data --mmaps | grep -v '^# (Tip:'
