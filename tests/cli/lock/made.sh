lock() { perf lock "$@" -f -i $DATA/allocators/locks.data --output /dev/stdout; }
lock contention
lock contention -t -v
lock contention -l -x,
lock contention -j -E 3
lock contention -Y mutex,rwsem:R -F contended,wait_max -k wait_max
lock report -k wait_total
lock report -t -x ";" -C 1
lock report -p 1000 -j -E 2
lock info -m
# a wait that has not ended by then is a row, too
lock contention --time 1.00014,1.00016
lock contention --time 1.00014,1.00016 -x,
