# rows on paper, and another recording
cp "$DATA/comms.data" "$DATA/chains.data" .
echo no >recording
screen -s 80x12 'perf report -f --symfs $DATA/root -i chains.data' e P = s = '<down><enter>' = q
cat perf.hist.0
