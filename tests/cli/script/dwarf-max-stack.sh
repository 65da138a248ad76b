# So many frames of a copy of the stack are shown, whatever it holds.
perf script -f --symfs $DATA/aarch64 -i $DATA/aarch64/stacks.data --no-inline -F ip --max-stack 2 2>/dev/null | awk 'NF { n++ } !NF && n { print n; n = 0 }' | sort | uniq -c
