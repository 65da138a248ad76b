# blocks of code whose cycles changed from the first half of a recording to the second; perf 6.1.192 crashes on recordings with cycles
diff_blocks() { perf diff -f --symfs $DATA/root -c cycles "$@" 2>/dev/null; }
b=$DATA/blocks.data
diff_blocks --cycles-hist --time 0,0.000030:0.000031, $b $b
diff_blocks -p -s comm -o 0 --time 0,0.000010:0.000050,:0.000020,0.000030 $b $b $b | sed 's/ [^ ]*blocks.data/ FILE/'
diff_blocks --cycles-hist -S burn -t '|' --time 0,0.000030:0.000031, $b $b
