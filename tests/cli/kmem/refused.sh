ask() { perf kmem "$@" 2>&1 | head -2; perf kmem "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask nothing
ask stat -f -i $DATA/chains.data
ask stat --page -f -i $DATA/chains.data
ask stat -s order
ask stat --page -s frag
ask stat -l many
ask stat no_such_program
