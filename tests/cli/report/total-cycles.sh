# blocks of code by their cycles; perf 6.1 crashes on recordings as small as this one
perf report --stdio -f --symfs $DATA/root -i $DATA/blocks.data --total-cycles | grep -v '^# (Tip:'
