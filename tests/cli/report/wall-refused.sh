ask() { perf report -f -g none "$@" && echo "no error"; echo "status $?"; } 2>&1
ask --wall -i $DATA/chains.data
ask --wall --latency -i $DATA/side-band.data
ask --wall --mem-mode -i $DATA/side-band.data
ask -s state -i $DATA/side-band.data
