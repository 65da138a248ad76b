# the chains are those that script makes of the copies
perf inject --convert-callchain -v -i $DATA/dwarf.data -o new.data
perf script -i $DATA/dwarf.data 2>/dev/null >before
perf script -i new.data | diff before -
perf evlist -v -i new.data | grep -o 'sample_type: [A-Z_|]*'
perf script -D -i new.data | grep -c 'user regs\|ustack' || true
[ $(wc -c <new.data) -lt $(wc -c <$DATA/dwarf.data) ]
# through pipes as well
perf inject -i $DATA/dwarf.data | perf inject --convert-callchain 2>/dev/null | perf script -i - | diff before -
# chains that come later are joined with their samples: a reader orders those by their own time then
perf inject --convert-callchain -i $DATA/deferred.data -o joined.data 2>/dev/null || true
perf script -F comm,tid,time,ip -i $DATA/deferred.data 2>/dev/null | awk -v RS= '{ gsub(/\n/, ";"); print }' | sort >before
perf script -F comm,tid,time,ip -i joined.data | awk -v RS= '{ gsub(/\n/, ";"); print }' | sort >after
diff before after
wc -l <after
perf script -D -i joined.data | grep -c 'DEFERRED' || true
# nothing to do
perf inject --convert-callchain -i $DATA/chains.data -o plain.data
perf script -i plain.data >after
perf script -i $DATA/chains.data | cmp - after
