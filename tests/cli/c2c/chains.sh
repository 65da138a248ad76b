# call chains below the accesses of a line: one that is in the recording, and none
$DATA/make-memory --chains chains.data
perf c2c report -i chains.data --no-source -g caller | sed -n '/Pareto/,/^$/p' | head -40
perf c2c report -i chains.data --no-source -g folded,count | sed -n '/Pareto/,/^$/p' | sed -n '9,20p'
perf c2c report -f -i $DATA/memory.data --no-source -g --stats 2>&1 | head -1
