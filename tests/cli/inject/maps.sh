known="00112233445566778899aabbccddeeff00112233 /tmp/t/threads"
show() { perf script --show-mmap-events -i new.data | grep MMAP; }
perf script -i $DATA/chains.data >before
perf inject -B --known-build-ids "$known" --symfs none -i $DATA/chains.data -o new.data
show
perf script -i new.data | cmp - before
perf inject --mmap2-buildid-all --known-build-ids "$known" --symfs none -i $DATA/chains.data -o new.data
show
perf script -i new.data | cmp - before
# stacks that are still to be unwound need all maps
perf inject -B --symfs none -i $DATA/dwarf.data -o new.data
for name in $DATA/dwarf.data new.data; do perf report --stats -i $name | grep MMAP2; done
