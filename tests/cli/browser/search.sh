# while it is typed, on and back, not there, given up
screen -s 80x12 --attributes 'perf report -f --symfs $DATA/root -i $DATA/chains.data' \
	'/wor' = 'ker-1' = '<enter>' 'n' = 'N' = '/nobody<enter>n' = '/ne<esc>' = 'q'
