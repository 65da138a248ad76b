# Where rounds are shown, everything comes in the order of the file, as with perf.
perf script -f --symfs $DATA/root -i $DATA/wide.data --show-round-events -F comm,tid,time | uniq -c
perf script -f --symfs $DATA/root -i $DATA/side-band.data --show-round-events -F comm,tid,time | uniq -c
