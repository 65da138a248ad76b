# A CPU goes offline and comes back while something is measured: recording and counting go on, what was recorded is read by
# both, samples of that CPU are there before and after, and it is said how long it was away.
# guests: x86-* arm64-6.* arm64-16k
# short: x86-6.1
. /lab/lib.sh

cpu=/sys/devices/system/cpu/cpu1/online
[ -w $cpu ] || { skip "a CPU goes offline" "this machine has none that can"; finish; }
# away BEFORE DURING: off and on again
away() {
	sleep "$1"
	echo 0 >$cpu
	sleep "$2"
	echo 1 >$cpu
}
# while_away FILE PERF record OPTIONS...: from when there is something in FILE. What was said is in said.txt.
while_away() {
	rm -f "$1"
	file=$1
	shift
	if [ "$file" = stream.data ]; then "$@" 2>said.txt >$file & else "$@" 2>said.txt >/dev/null & fi
	recorder=$!
	until [ -s $file ] || ! kill -0 $recorder 2>/dev/null; do sleep 0.2; done
	away 2 1.2
	sleep 3
	kill -TERM $recorder
	wait $recorder
}
# gap FILE [PID]: how many samples CPU 1 has before its longest pause, after it, and the pause in ms
gap() {
	"$PERF" script -i "$1" -F tid,cpu,time 2>script.err | tr -d '[]:' | awk '$2 == 1 { t[++n] = $3 }
		END { for (i = 2; i <= n; i++) if (t[i] - t[i - 1] > longest) { longest = t[i] - t[i - 1]; at = i }
			printf "%d %d %d\n", at - 1, n - at + 1, longest * 1000 }'
}
# busy on both CPUs, so that an idle one does not look like one that is away
load() { "$PROGRAMS/work" 400000000 & one=$!; "$PROGRAMS/work" 400000000 & two=$!; }
unload() { kill $one $two; wait $one $two; } 2>/dev/null
there_and_back() { # NAME FILE: samples on both sides of a pause of a second at least
	gap "$2" >gap.txt
	read -r before after pause <gap.txt
	cat said.txt script.err >>gap.txt
	[ "$before" -ge 10 ] && [ "$after" -ge 10 ] && [ "$pause" -ge 900 ] && ok "$1" || not_ok "$1" gap.txt
}

load
for how in "" "-z" "-g" "-e context-switches"; do
	while_away all.data "$PERF" record -a -F 500 -e cpu-clock $how -o all.data sleep 1000
	there_and_back "record -a $how: samples before and after" all.data
	grep -qE '^CPU 1 was offline for [0-9.]+ s\.$' said.txt && grep -q Captured said.txt && ok "... it is said" || not_ok "... it is said" said.txt
	read_both "... both read the same" all.data script -G -F comm,tid,cpu,time,event
done
while_away ref.data "$REF" record -a -F 500 -e cpu-clock -o ref.data sleep 1000
check "record -a of the reference ends well" grep -q Captured said.txt
read_both "... both read the same" ref.data script -F comm,tid,cpu,time,event
unload

# A command, on whatever CPU it runs
while_away command.data "$PERF" record -F 500 --sample-cpu -e cpu-clock:u -o command.data -- \
	sh -c "$PROGRAMS/work 400000000 & $PROGRAMS/work 400000000"
killall work
there_and_back "record of a command: samples before and after" command.data
grep -q 'is missing' said.txt && not_ok "... nothing is told as missing" said.txt || ok "... nothing is told as missing"

# To a stream: what cannot be opened again is told as missing
load
while_away stream.data "$PERF" record -a -F 500 -e cpu-clock -o - sleep 1000
grep -qE '^CPU 1 was offline for [0-9.]+ s; what it did after that, for [0-9.]+ s, is missing\.$' said.txt &&
	ok "record -o -: what is missing is said" || not_ok "record -o -: what is missing is said" said.txt
check "... it is read" "$PERF" report -i stream.data --stdio

# Counters on a CPU end with it: the reference counts nothing after that, either
while_away stat.txt "$PERF" stat -a -A -x, -I 500 -o stat.txt -e task-clock sleep 1000
cat stat.txt >>said.txt
awk -F, '$2 == "CPU0" { a += $3 } $2 == "CPU1" { b += $3 } END { exit !(a > 3000 && b > 100 && b < 0.8 * a) }' stat.txt &&
	ok "stat -a counts what was there" || not_ok "stat -a counts what was there" said.txt
grep -qE '^CPU 1 was offline for [0-9.]+ s; what it did after that, for [0-9.]+ s, is missing\.$' said.txt &&
	ok "... what is missing is said" || not_ok "... what is missing is said" said.txt
"$PERF" stat -C 0 -x, -e task-clock sleep 2 2>said.txt &
away 0.5 0.5
wait $!
grep -q offline said.txt && not_ok "stat -C 0: CPU 1 is nothing to it" said.txt || ok "stat -C 0: CPU 1 is nothing to it"
unload

# One that was offline at the start
echo 0 >$cpu
(until [ -s late.data ]; do sleep 0.2; done; sleep 1; echo 1 >$cpu) &
"$PERF" record -a -e cpu-clock -o late.data sleep 4 2>said.txt
wait $!
grep -qE '^CPU 1 came online; what it did after that, for [0-9.]+ s, is missing\.$' said.txt &&
	ok "a CPU that comes later is told" || not_ok "a CPU that comes later is told" said.txt
echo 0 >$cpu
for words in "record -C 1 -o one.data" "stat -C 1"; do
	"$PERF" $words -e cpu-clock sleep 0.1 2>said.txt && echo "status 0" >>said.txt
	[ "$(cat said.txt)" = "CPU 1 is not online" ] && ok "$words: refused with a sentence" || not_ok "$words: refused with a sentence" said.txt
done
echo 1 >$cpu
finish
