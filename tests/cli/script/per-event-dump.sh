cp $DATA/group.data . && perf script -f --symfs $DATA/root -i group.data --per-event-dump >/dev/null && cat group.data.*.dump
