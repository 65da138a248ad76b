# by LLVM: code of this and of another kind of processor, wherever this runs
ask() { echo "== $*"; perf annotate --stdio -f "$@" >text; tail -n +3 text; }
ln -s $DATA data
perf annotate --stdio -f --symfs data/root -i data/chains.data >text 2>why || true
if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
ask --symfs data/root -i data/chains.data
ask --symfs data/root -i data/chains.data --asm-raw -M intel -n
ask --symfs data/aarch64 -i data/aarch64/stacks.data -s leaf_last_call_burns 2>/dev/null
ask --symfs data/aarch64 -i data/aarch64/stacks.data -s leaf_last_call_burns --asm-raw 2>/dev/null | head -20
