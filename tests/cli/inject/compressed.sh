# -z: the output is compressed, and the same texts come out of it, of our own and the reference's pipe form too
for name in chains deferred wide; do
	perf inject --self-contained -i $DATA/$name.data -o plain.data
	perf inject --self-contained -z -i $DATA/$name.data -o small.data
	perf inject --self-contained -z19 -i $DATA/$name.data -o smaller.data
	for file in small smaller; do
		for form in "script" "report --stdio --no-children -g caller"; do
			perf $form -i plain.data >before 2>&1 || true
			perf $form -i $file.data >after 2>&1 || true
			cmp before after
		done
	done
	perf inject -z -i $DATA/$name.data -o - | perf script -i - >after 2>&1 || true
	perf inject -i $DATA/$name.data -o - | perf script -i - >before 2>&1 || true
	cmp before after
	# and back
	perf inject -i small.data -o back.data
	perf script -i plain.data >before 2>&1
	perf script -i back.data >after 2>&1
	cmp before after
	perf report --header-only -i small.data | grep compressed
	perf report --header-only -i back.data | grep compressed || echo "not compressed"
done
[ $(stat -c %s small.data) -lt $(stat -c %s plain.data) ] && echo smaller
perf inject -z30 -i $DATA/chains.data -o x.data 2>&1 | head -1
