# call chains: one level, a whole row, all rows; dsos in them
screen -s 80x20 'perf report -f --symfs $DATA/root -i $DATA/chains.data --no-children' \
	'+' = V = '<down><down>c' = E = '<end>' = C = q
screen -s 80x20 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s dso' '+' = '<down><down><down><down><enter>' = \
	'<enter>' = '<home>e' = q
screen -s 80x20 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s dso -g fractal,count' e = q
