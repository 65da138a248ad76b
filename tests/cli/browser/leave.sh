# what the terminal is left with
ulimit -c 0
for how in q Q '<esc>' '<ctrl-c>' '!TERM' '!INT' '!KILL' '!SEGV'; do
	echo "leave by $how"
	screen 'perf report -f --symfs $DATA/root -i $DATA/chains.data' "$how"
done
