# while it is typed, on and back, not there, given up
screen -s 80x12 --attributes 'perf report -f --symfs $DATA/root -i $DATA/chains.data' \
	'/wor' = 'ker-1' = '<enter>' 'n' = 'N' = '/nobody<enter>' = 'n' = '/ne<esc>' = 'q'
# bytes that are no character are no keys, and the keys after them count; others are searched for
screen -l C.UTF-8 -s 60x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<byte-ff><byte-e2>/wor<byte-ff><byte-e2>ker-1é€' = '<esc>q'
