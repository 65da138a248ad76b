# the header stays, but for what says where the file is and how it was compressed
for name in chains compressed; do
	perf inject -i $DATA/$name.data -o new.data
	perf report --header-only -i $DATA/$name.data | grep -v '^# \(captured\|header\|data\|feat\)' >before
	perf report --header-only -i new.data | grep -v '^# \(captured\|header\|data\|feat\)' >after
	diff before after || true
done
# a pipe's, too
perf inject -i $DATA/pipe.data -o new.data
perf report --header-only -i new.data | sed -n 's/^# \(event\|cmdline\|nrcpus online\) : /\1 /p'
