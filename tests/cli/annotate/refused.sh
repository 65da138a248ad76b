# what cannot be done says so
cd $DATA
ask() { echo "== $*"; perf annotate -i chains.data "$@" 2>&1 || echo "status $?"; }
ask --itrace
ask -n --show-total-period
ask --prefix-strip 1
ask --percent-type most
ask one two
ask -C 0
ask --symfs /nowhere nosuch
ask --symfs /nowhere
ask --objdump=/bin/false --symfs root -f
ask --objdump=/nowhere/objdump --symfs root -f --skip-missing
ask --objdump=/bin/true --symfs root -f -q
ask --objdump=/bin/false --symfs root -f --data-type
ask --objdump=/nowhere/objdump --symfs root -f --data-type --skip-missing
ask --symfs /nowhere -f --data-type
# no disassembler
printf '[annotate]\n\tdisassemblers = objdump\n' >"$OLDPWD/config"
program=$(command -v perf)
PERF_CONFIG=$OLDPWD/config PATH=/nowhere "$program" annotate -i chains.data --symfs root -f 2>&1 || echo "status $?"
