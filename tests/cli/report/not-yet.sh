# what would do nothing is refused, with the reason
for option in --branch-history --stitch-lbr --itrace --itrace=i1us; do
	perf report -i "$DATA/comms.data" $option && echo "'$option' was taken"
	echo "$option: $?"
done
# of annotated code: without a meaning for the table, and checked as annotate does
for option in '--prefix-strip 1' '--percent-type nonsense'; do
	perf report -i "$DATA/comms.data" $option >/dev/null && echo "'$option' was taken"
	echo "$option: $?"
done
perf report -i "$DATA/comms.data" --no-source --asm-raw -M intel --percent-type global-hits --no-stitch-lbr -s comm 2>/dev/null | grep -v Tip
