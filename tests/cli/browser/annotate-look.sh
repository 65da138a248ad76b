# how code looks: offsets of calls and of all, addresses, the disassembler's own text, counts of jumps
set -- perf report -f --symfs "$DATA/root" -i "$DATA/chains.data"
perf annotate -f --symfs "$DATA/root" -i "$DATA/chains.data" 2>why >text || true
if grep -q "no libLLVM" why text; then cat why >&2; exit 77; fi
# RIGHT and LEFT: follow and go back, as in perf; where nothing is followed, scroll
screen -s 60x10 "$*" '/nest<enter>a' '/callq<enter><right>' = '<left>' = '<home><right>' = '<left>' = '<left>' = q
screen -s 60x10 "$(echo "$*" | sed 's/report/annotate/')" '<home>/jmp<enter><right>' = '<left>' = q
screen -s 80x20 "$*" '/nest<enter>a' O = O = O 'f' = f 'o' = o J = q
