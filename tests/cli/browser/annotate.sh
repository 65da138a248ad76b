# the code of a row's function, from a report: hot lines, jumps and calls followed, source, units, on paper
set -- perf report -f --symfs "$DATA/root" -i "$DATA/chains.data"
perf annotate -f --symfs "$DATA/root" -i "$DATA/chains.data" 2>why >text || true
if grep -q "no libLLVM" why text; then cat why >&2; exit 77; fi
screen -s 80x24 --attributes "$*" a = '<tab><tab>' = s '<home>/jle<enter>' = '<enter>' = t = t = tpb = P '<esc>' q
cat burn.annotation
screen -s 80x16 "$*" '/nest<enter>a' = '/callq<enter>n' = '<enter>' = '<esc>' H '<tab>' '<esc>' '/libc<enter>a' = q
screen -s 80x16 "$* -M intel --asm-raw --percent-type global-hits" a = q
# functions one after the other
screen -s 80x12 "perf annotate -f --symfs $DATA/root -i $DATA/chains.data" = '>' = '<lt>' q
screen -s 80x12 "perf annotate -f --symfs $DATA/root -i $DATA/chains.data --percent-limit 101" = | grep -v '^$'
screen -s 80x12 "perf annotate -f --symfs /nowhere -i $DATA/comms.data" = | grep -v '^$'
for option in '--stdio' '--stdio2' '-l' '-q'; do
	screen -s 80x60 "perf annotate -f --symfs $DATA/root -i $DATA/chains.data $option" = | grep -c 'jle '
done
# the key ? searches back, as in perf; help stands on h
screen -s 80x12 "$*" a '?mov' = '<enter>' N = h = '<esc>' q
