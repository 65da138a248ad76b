# scripts on all samples, on those of a thread and of a symbol, and scripts of the configuration
printf '[scripts]\n\taddresses = perf script -G -F ip,sym\n\tfails = false\n\tquiet = true\n' >config
export PERF_CONFIG=$PWD/config
set -- perf report -f --symfs "$DATA/root" -i "$DATA/chains.data" --no-children
screen -s 90x12 "$*" r = '<enter>' = '<enter>' = '<esc>' 'r<enter><down><enter>' = '<esc>' q
screen -s 90x10 "$* -s pid,sym" 'r<enter><down>' = '<down><enter>' = '<esc>' 'r<enter><down><enter>' = q
screen -s 70x10 "$* -s dso" 'r<down><down><down><enter>' = '<esc>' 'r<end><up><enter>' = '<esc>' 'r<end><enter>' = q
# options that the user types; scripts from the code of a function
screen -s 70x10 "$* -s dso" 'r<down><down><enter>' '-F comm,period | sort | uniq -c<enter>' = 'q'
if perf annotate -f --symfs "$DATA/root" -i "$DATA/chains.data" 2>&1 | grep -q "no libLLVM"; then exit 77; fi
screen -s 70x10 "$*" a 'r<down><enter>' = '<down><enter>' = '<esc>' = '<esc>' q
screen -s 70x10 "perf annotate -f --symfs $DATA/root -i $DATA/chains.data" r = '<left>' 'B' = 'r<enter><enter>' = q
