ask() { perf sched "$@" 2>&1 | head -2; perf sched "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask latency -s nonsense -f -i $DATA/sched.data
ask latency -f -i $DATA/chains.data
ask timehist -s -w -f -i $DATA/sched.data
ask timehist --time 5,1 -f -i $DATA/sched.data
ask map --fuzzy-name -f -i $DATA/sched.data
ask latency no_such_program
ask map -i $DATA/sched.data true
ask nothing
