# what the terminal is left with
ulimit -c 0
for how in q Q '<esc><enter>' '<ctrl-c>' '!TERM' '!INT' '!KILL' '!SEGV'; do
	echo "leave by $how"
	screen 'perf report -f --symfs $DATA/root -i $DATA/chains.data' "$how"
done
# a screen that another program wrote on is drawn anew
cat >both.sh <<'SH'
{ sleep 1; echo written >/dev/tty; } &
perf report -f --symfs $DATA/root -i $DATA/chains.data
SH
screen -s 60x10 'sh both.sh' '~written' '<ctrl-l>' = q
