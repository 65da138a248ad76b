# A round's end is shown behind all that is not younger than what it ended.
perf script -f --symfs $DATA/root -i $DATA/wide.data --show-round-events -F comm,tid,time | uniq -c
perf script -f --symfs $DATA/root -i $DATA/side-band.data --show-round-events -F comm,tid,time | uniq -c
