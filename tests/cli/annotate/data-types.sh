# types of data: programs without debug information say so, a member's share is of its type; what does not go together is refused
cd $DATA
ask() { echo "== $*"; perf annotate -f --stdio --symfs root -i chains.data "$@" 2>&1 || echo "status $?"; }
perf annotate --stdio -f --symfs root -i chains.data >/dev/null 2>$OLDPWD/why || true
if grep -q "no libLLVM" $OLDPWD/why; then cat $OLDPWD/why >&2; exit 77; fi
ask --data-type --type-stat --insn-stat
ask --data-type=nothing
ask --type-stat
ask --insn-stat
ask --data-type --stdio2
perf report --stdio -f --symfs root -i chains.data -g none -n -s type 2>&1 | grep -v '^#' | grep .
perf report --stdio -f --symfs root -i chains.data -g none -n -s typeoff,typecln 2>&1 | grep -v '^#' | grep .
perf report --stdio -f --symfs root -i chains.data -g none -n -s symoff 2>&1 | grep -v '^#' | grep . | head -4
