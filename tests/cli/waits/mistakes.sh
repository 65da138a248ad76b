ask() { perf waits "$@" 2>&1 | head -2; perf waits "$@" >/dev/null 2>&1 || echo "status $?"; }
ask -i $DATA/chains.data
ask -i nosuch.data
ask -i $DATA/side-band.data true
ask -a -p 1
ask -j -x, -i $DATA/side-band.data
ask nosuchprogram
ask 1
perf waits -f -i $DATA/side-band.data -x,
perf waits -f -i $DATA/side-band.data -j
