ask() { perf lock "$@" 2>&1 | head -2; perf lock "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask nothing
ask report -f -i $DATA/chains.data
ask report -k nonsense -f -i $DATA/chains.data
ask report -F nonsense -f -i $DATA/chains.data
ask info -f -i $DATA/chains.data
ask contention -Y nonsense
ask contention -k acquired
ask contention -l -t
ask contention -x ab
ask contention no_such_program
ask contention -o
ask contention -J 1ms@mmap_lock
ask contention -b -i $DATA/chains.data
ask contention -b -M 0
ask contention -b -l -g
ask contention -b -l -o
ask contention -b -J mmap_lock true
ask contention -b -J 1s@mmap_lock true
ask contention -b -J 0@mmap_lock true
ask contention -b -J 11ms@mmap_lock true
ask contention -b -J 1ms@no_such_lock true
ask contention -b -G /no/such/group true
