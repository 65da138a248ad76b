# what would do nothing is refused, with the reason
for option in '--samples 3' --branch-history --stitch-lbr --itrace --itrace=i1us --source --asm-raw '-M intel' \
	'--objdump x' '--prefix x' '--prefix-strip 1' '--percent-type global-hits'; do
	perf report -i "$DATA/comms.data" $option && echo "'$option' was taken"
	echo "$option: $?"
done
perf report -i "$DATA/comms.data" --no-source --no-asm-raw --percent-type local-period -s comm 2>/dev/null | grep -v Tip
