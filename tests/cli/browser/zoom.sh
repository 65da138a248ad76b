# into a thread, a dso, both, and out again; percentages of all and of what is left
screen -s 100x14 'perf report -f --symfs $DATA/root -i $DATA/chains.data' \
	't' = 'F' = 'd' = '<esc>' = '<esc>' = 'k' = 'S' = '<esc>'
# the same key twice; a zoom where no row tells threads apart
screen -s 100x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s sym' 'd' = 'd' = 't' = 'q'
