# --samples: samples of a row one by one, each with those around it
printf '[samples]\n\tcontext = 3000000\n' >config
set -- perf report -f --symfs "$DATA/root" -i "$DATA/chains.data" --no-children
screen -s 90x14 "$* --samples 4 -s sym" 'r<enter>' = '<end>' '<enter>' = '<down><down>' '<enter>' = '<esc>' 'r<enter><end><enter><esc>' = q
PERF_CONFIG=$PWD/config screen -s 90x14 "$* --samples 1000 -s comm,dso" '<down>r<enter><end><enter>' = '<end><enter>' = '/second<enter>' q
# of the callers' rows, too
screen -s 90x14 "perf report -f --symfs $DATA/root -i $DATA/chains.data --samples 3 -s sym" '<down>r<enter><end><enter>' = '<esc>' q
# of a CPU, where it is known
screen -s 90x14 "perf report -f -i $DATA/memory.data --samples 2 -s comm" '<enter>r<enter><end><enter>' = '<enter>' = q
# what would do nothing is refused
perf report -i "$DATA/chains.data" --samples 3 --stdio || echo $?
perf report -i "$DATA/chains.data" --samples=-1 || echo $?
perf report -i "$DATA/chains.data" --samples 3 --time-quantum 1ms || echo $?
