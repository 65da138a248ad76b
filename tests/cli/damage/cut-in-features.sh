size=$(wc -c <$DATA/comms.data)
head -c $((size - 300)) $DATA/comms.data >cut.data
perf report --stdio --symfs $DATA/root -s comm -i cut.data
