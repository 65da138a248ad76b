# as the browser shows it: arrows, offsets of what is jumped to, names for addresses; by LLVM and, here, by objdump
ln -s $DATA data
perf annotate --stdio2 -f --symfs data/root -i data/chains.data >text 2>why || true
if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
cat text
perf annotate --stdio2 -f --symfs data/root -i data/chains.data -n
perf annotate --stdio2 -f --symfs data/aarch64 -i data/aarch64/stacks.data -s leaf_last_call_burns 2>/dev/null
