cp $DATA/group.data .
perf data convert --to-json out -i group.data
sed '/captured-on/d' out
