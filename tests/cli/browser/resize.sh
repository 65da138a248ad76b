# wider, the smallest, too small, and back
screen -s 80x24 'perf report -f --symfs $DATA/root -i $DATA/chains.data' E @100x30 = @40x10 = @39x9 = @60x12 = 'q'
# to the side
screen -s 40x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<right><right>' = '<left>' = 'q'
