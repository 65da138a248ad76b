# what is written anew says the same: files, pipes, what was compressed
for name in chains side-band group wide switches compressed pipe; do
	perf inject -i $DATA/$name.data -o new.data
	perf script -i $DATA/$name.data >before
	perf script -i new.data >after
	cmp before after
	perf inject -i $DATA/$name.data >new.pipe
	perf script -i new.pipe >after
	cmp before after
	perf inject -i new.pipe -o back.data
	perf script -i back.data >after
	cmp before after
	cat new.pipe | perf inject | perf script -i - >after
	cmp before after
	echo "$name: $(wc -l <before) lines"
done
# a second time nothing changes any more
perf inject -i new.data -o again.data
cmp new.data again.data
ls *.old
