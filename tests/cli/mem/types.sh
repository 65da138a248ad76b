# -T is a choice of sort keys; words of the user come after them
keys() { perf mem "$@" -f -i $DATA/memory.data 2>/dev/null | grep '^# Sort order'; }
keys report -T
keys report --type-profile -p
keys -t store report -T
keys report -T -s type,sym
