# a recording was captured when its file was last written, whenever that was copied or renamed
cp "$DATA/chains.data" old.data
touch -d '2020-01-02 03:04:05Z' old.data
perf data convert --to-json out -i old.data
grep captured-on out
