cp $DATA/comms.data odd.data
printf "\\310" | dd of=odd.data bs=1 seek=$((0x220)) conv=notrunc 2>dd.log
perf report --stats -i odd.data
