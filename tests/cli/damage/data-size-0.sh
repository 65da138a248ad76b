cp $DATA/chains.data zero.data
printf "\\0\\0\\0\\0\\0\\0\\0\\0" | dd of=zero.data bs=1 seek=48 conv=notrunc 2>dd.log
perf report --stdio --symfs $DATA/root -g none --no-children -i zero.data
