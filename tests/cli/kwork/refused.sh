ask() { perf kwork "$@" 2>&1 | head -2; perf kwork "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask nothing
ask -k nonsense record true
ask -k nonsense report
ask report no_such_program
ask report -s nonsense
ask report -C x
ask report --time x
ask report -f -i nowhere.data
ask latency -s rate
ask timehist -s max
ask timehist -k nowhere -f -i $DATA/kwork.data
ask top -s max
ask top -k irq -f -i $DATA/kwork.data
ask top -f -i $DATA/chains.data
ask report -b -i $DATA/kwork.data
ask latency -b --time 1,2 true
ask -k sched report -b true
ask top -b -i $DATA/kwork.data
ask top -b -C x true
