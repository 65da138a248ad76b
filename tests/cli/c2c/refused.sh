ask() { perf c2c "$@" 2>&1 | head -2; perf c2c "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask nothing
ask report extra
ask report -d nearest -f -i $DATA/memory.data
ask report -c nothing -f -i $DATA/memory.data
ask report -g caller,nothing -f -i $DATA/memory.data
ask report --stitch-lbr -f -i $DATA/memory.data
ask report -f -i nowhere.data
ask report -f -i $DATA/pipe.data
head -c 12000 $DATA/memory.data >cut.data
perf c2c report -f -i cut.data --stats 2>&1 | tail -2
