# help, the header, the menu, and what it does
screen -s 90x36 'perf report -f --symfs $DATA/root -i $DATA/chains.data' h = '<esc>' m = '<esc>' q
screen -s 90x14 'perf report -f --symfs $DATA/root -i $DATA/chains.data' i = '/event<enter>' = '<esc>' \
	'm<down><enter>' = H = '<esc>m<end><enter>' | grep -v 'captured on'
# symbols of the row's dso, of none
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' M = '<esc>' '/libc<enter>M' = q
