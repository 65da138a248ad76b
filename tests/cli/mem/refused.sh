ask() { perf mem "$@" 2>&1 | head -2; perf mem "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask nothing
ask -t loads report
ask report -D extra -f -i $DATA/memory.data
ask report -D -x . -f -i $DATA/memory.data
ask report -D -C x -f -i $DATA/memory.data
ask report -f -i $DATA/chains.data
ask report -f -i nowhere.data
ask report --nonsense
