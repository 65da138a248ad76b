# what would do nothing is refused, with the reason
for option in --itrace --itrace=i1us --stitch-lbr --insn-trace --insn-trace=disasm --xed --graph-function=main \
	--dlfilter=x.so; do
	perf script -i "$DATA/comms.data" $option 2>&1 && echo "'$option' was taken"
	echo "$option: $?"
done
