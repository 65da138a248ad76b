ask() { perf record "$@" 2>&1 && echo "no error"; echo "status $?"; }
ask --latency -a true
ask --latency -C 0 true
perf report -i $DATA/chains.data --latency 2>&1
