known="00112233445566778899aabbccddeeff00112233 /tmp/t/threads,aabbccdd [vdso]"
perf inject -b --known-build-ids "$known" --symfs none -i $DATA/chains.data -o new.data
perf buildid-list -i new.data
perf report --stats -i new.data | grep BUILD_ID
# the same from a file, and into a pipe
echo "$known" | tr , '\n' >pairs
perf inject -b --known-build-ids file://pairs --symfs none -i $DATA/chains.data | perf buildid-list -i - | sort
# those that callers lie in come before the first sample that calls them
perf script -D -i new.data | grep -o 'PERF_RECORD_\(BUILD_ID\|SAMPLE\)' | head -4
