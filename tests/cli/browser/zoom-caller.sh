# into the dso of a caller: the rows of its functions, what they called included; out again
screen -s 90x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<down>d' = 'F' = '<esc>' = '<up>d' = q
# where rows do not tell dsos apart, there is none to zoom into
screen -s 90x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s comm' 'd' = q
# to the side, a column at a time, within the last one by characters, and back
screen -s 60x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<right>' = '<right><right><right>' = '<right>' = '<left>' = '<left><left>' = '<left><left>' = q
