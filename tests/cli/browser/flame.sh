# the call chains as a flame graph: zoom, out again, neighbours, search, leave
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/compressed.data' G = '<end>' = '<left>' = '<enter>' = \
	'<esc>' '/burn<enter>' = '<bs>' = q
# the mouse, another size, no code; the zoom of the list is that of the graph, and its key leaves
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' t G = '<click60x7>' = '<click60x7>' = \
	'@50x10' = '<home>a' = G = q
# characters of UTF-8; no chains in what is recorded
screen -l C.UTF-8 -s 60x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data --no-children' G = q
screen -s 70x10 'perf report -f -i $DATA/comms.data' G = q
