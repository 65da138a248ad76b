known="00112233445566778899aabbccddeeff00112233 /tmp/t/threads"
show() { perf script --show-mmap-events -i new.data | grep MMAP; }
perf script -i $DATA/chains.data >before
perf inject -B --known-build-ids "$known" --symfs none -i $DATA/chains.data -o new.data
show
perf script -i new.data | cmp - before
perf inject --mmap2-buildid-all --known-build-ids "$known" --symfs none -i $DATA/chains.data -o new.data
show
perf script -i new.data | cmp - before
