# copies of stacks that grow: what cannot go with it
perf record --keep-stack --call-graph dwarf,auto true || echo "$?"
perf record --overwrite --call-graph dwarf,auto true || echo "$?"
perf record --call-graph dwarf,aut true 2>&1 | head -1
perf record --call-graph fp,auto true 2>&1 | head -1
