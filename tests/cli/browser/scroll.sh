# keys and the mouse
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' 'E<pgdn>' = '<end>' = '<up>' \
	'<wheel1x1>' '<home>' = ' ' '<up>' = q
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<click5x5>' = '<click5x5>' = '<esc>' q
