# into a thread, a dso, both, and out again; percentages of all and of what is left
screen -s 100x14 'perf report -f --symfs $DATA/root -i $DATA/chains.data' \
	't' = 'F' = 'd' = '<esc>' = '<esc>' = 'k' = 'S' = '<esc>' q
# with nothing to zoom out of Escape asks, as in perf; Enter, y and the keys that leave are yes
for yes in '<enter>' y q '<ctrl-c>'; do
	screen -s 60x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s sym' 'd<esc><esc>' = 'x' = "<esc>$yes"
done
# the same key twice; a zoom where no row tells threads apart
screen -s 100x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s sym' 'd' = 'd' = 't' = 'q'
