# columns of kinds of accesses, and averages of weights
ask() { perf mem "$@" -f -i $DATA/memory.data --stdio | sed -n '/^# Samples/,/^$/p'; }
ask report -F overhead,op,cache,comm
ask report -F mem,snoop
ask report -s mem,snoop -F +dtlb --percent-limit 3
ask -x , report -F sample,weight1,weight2,weight3,snoop,comm
ask report -s comm,snoop -F +op -H --percent-limit 9 2>&1
perf report -F overhead,op,comm -f -i $DATA/memory.data --stdio 2>&1 | head -1
perf report -F overhead,weight1,comm -f -i $DATA/memory.data --stdio | sed -n '/^# Samples/,/^$/p'
