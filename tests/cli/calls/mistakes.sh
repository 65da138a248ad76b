ask() { perf calls "$@" 2>&1 | head -2; perf calls "$@" >/dev/null 2>&1 || echo "status $?"; }
ask -f 'parse*'
ask -f main -i $DATA/chains.data true
ask true
ask -x /bin/true
ask -a -p 1 -f main
ask -j -t, -i $DATA/chains.data
ask -s nothing -i $DATA/chains.data
ask -i $DATA/chains.data
ask -i nosuch.data
ask -f main ./nosuch
ask --budget 5% -i $DATA/chains.data
ask --budget none -f main true
perf record -o /dev/null --probe-budget 100 true 2>&1 | head -1
perf record -o /dev/null --wall --probe-budget 5% true 2>&1 | head -1
ask --source instrumented -i $DATA/chains.data
ask --source instrumented -p 1
ask --source instrumented -o new.data true
ask --source guessing -f main -p 1
ask --by-value true
ask --pair a,b -f main true
ask --pair a,b --budget 5% true
ask --pair a, true
ask --pair a,b -i $DATA/chains.data
