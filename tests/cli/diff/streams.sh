# the hottest ways by branches: those of both halves of a recording, and of one; perf 6.1 prints the same
diff_streams() { perf diff -f --symfs $DATA/root --stream "$@" 2>/dev/null; }
b=$DATA/blocks.data
diff_streams --time 0,0.000030:0.000031, $b $b
diff_streams $b $b | head -20
