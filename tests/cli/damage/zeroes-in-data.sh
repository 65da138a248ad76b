cp $DATA/chains.data holes.data
dd if=/dev/zero of=holes.data bs=1 seek=2000 count=512 conv=notrunc 2>dd.log
perf report --stdio --symfs $DATA/root -g none --no-children -i holes.data
