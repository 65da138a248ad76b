# what the configuration says of how code looks; by LLVM
export PERF_CONFIG=$PWD/config
ln -s $DATA data
for line in use_offset=false offset_level=3 offset_level=0 show_nr_jumps=true disassembler_style=intel; do
	echo "-- $line"
	printf '[annotate]\n\t%s\n' "$line" >config
	perf annotate --stdio2 -f --symfs data/root -i data/chains.data >text 2>why || true
	if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
	sed -n '10p; 13,15p' text
done
