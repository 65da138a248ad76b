# tracepoints alone are sorted by what they trace, whatever else is asked for
for how in -b --mem-mode '-b --raw-trace' '--mem-mode -F +sample'; do
	perf report -i "$DATA/switches.data" $how 2>/dev/null | grep -v Tip
done
