# several terminals
for term in xterm vt100 linux screen tmux-256color; do
	echo "on $term"
	screen -t $term -s 80x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data' E = q | grep -v '% of frames'
done
# keys of another terminal than TERM tells, and one that nobody knows
for term in linux vt100; do
	echo "on $term"
	screen -t $term -s 80x10 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<down><ctrl-right><end><up>' \
		= '<pgup><home><down>' = q | grep -E '^[0-9]+/|left'
done
# no browser: on none that can, not on demand, not by configuration
screen -t dumb -s 80x40 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s comm -g none' = | grep worker
screen -s 80x40 'perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -s comm -g none' = | grep worker
printf '[tui]\nreport = off\n' >config
export PERF_CONFIG="$PWD/config"
screen -s 80x40 'perf report -f --symfs $DATA/root -i $DATA/chains.data -s comm -g none' = | grep worker
screen -s 80x12 'perf report --tui -f --symfs $DATA/root -i $DATA/chains.data -s comm -g none' = q
perf report --tui -f --symfs $DATA/root -i $DATA/chains.data -s comm -g none | grep worker
