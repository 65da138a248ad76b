cp $DATA/schedstat/*.data $DATA/sched.data .
ask() { perf sched stats "$@" 2>&1 | head -2; perf sched stats "$@" >/dev/null 2>&1 || echo "status $?"; }
ask report -f -i cut.data
ask report -f -i sched.data
ask report -f -C 7 -i v17.data
ask report -f -C x -i v17.data
ask report extra
ask report -i nowhere.data
ask diff -f v16.data v17.data
ask diff a b c
ask diff -f v16.data cut.data
# version 18
sed 's/\x01\x00\x00\x00\x00\x00\x00\x00\x11/\x01\x00\x00\x00\x00\x00\x00\x00\x12/' <v17.data >newer.data
ask report -i newer.data
