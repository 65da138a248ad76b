# a named pipe is waited for, and read
mkfifo pipe
perf report --stdio -s comm -g none --no-children --symfs $DATA/root -i pipe 2>err >out &
sleep 0.2
cat $DATA/pipe.data >pipe
wait $!
grep -v '^#' out | grep .
