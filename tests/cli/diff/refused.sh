# what cannot be compared says so; the status is perf's
ask() { perf diff "$@" 2>&1 | head -2; perf diff "$@" >/dev/null 2>&1 || echo "status $?"; }
cd $DATA
ask nothing.data wide.data
ask
ask -o 2 wide.data wide.data
ask -c bogus wide.data wide.data
ask -c wdiff:1 wide.data wide.data
ask -s bogus wide.data wide.data
ask -c cycles wide.data wide.data
ask --cycles-hist wide.data wide.data
ask --stream wide.data wide.data
ask --tui -c cycles blocks.data blocks.data
ask --confidence -c cycles blocks.data blocks.data
