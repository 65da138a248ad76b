# the first screen, with what is bold, reversed and coloured; then without colours
screen -s 90x14 --attributes 'perf report -f --symfs $DATA/root -i $DATA/chains.data' = q
NO_COLOR=1 screen -s 90x10 --attributes 'perf report -f --symfs $DATA/root -i $DATA/chains.data' = q
