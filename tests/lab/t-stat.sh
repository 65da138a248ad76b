# perf stat with a PMU: ours beside the reference. The texts must be equal but for the digits; columns, decimals, names,
# units and order are compared. A line that differs is tried again twice: a busy machine may put another word there.
# guests: arm64-* ppc64le
. /lab/lib.sh

# So long that each of several events has a turn, of which emulated processors need different times.
turns=300000
[ "$(uname -m)" != ppc64le ] || turns=3000000
W="$PROGRAMS/work $turns"
L="$PROGRAMS/work $((turns * 5))"
# For as long as two intervals: both perfs wait for a command's end when they have shown all that were asked for
LL="$PROGRAMS/shares 0.5"
# Where instructions do not count, the reference does not count the others of their group either; ours does.
G=
"$REF" stat -x, -e instructions true 2>&1 | grep -q '<not supported>' && G="status | "
arm=$(ls /sys/bus/event_source/devices | grep -c armv8)

# Numbers become @, and the blanks in front of them, too: a column keeps its place. Deviations are not there when they are 0.
mask_text() {
	sed -E -e 's/ *\( \+- *[0-9.]+% \)//; s/^ *[0-9.]+ \+- [0-9.]+ seconds/TIME +- TIME seconds/; s/ *\([0-9.]+%\)/ (PERCENT)/' \
		-e '/<not|PERCENT/!s/ +$//; s/[0-9]/@/g' -e ':a' -e 's/ @/@@/' -e 'ta' -e 's| [KMG]/sec| /sec|'
}
# ... of intervals, which may be too short for turns: no share is shown of an event that ran all of the time.
mask_interval() { mask_text | sed -E 's/ +(\(PERCENT\))?$//'; }
# Decimals stay; how many digits are before them does not.
mask_fields() { sed -E 's/[0-9]/@/g; s/(^|[^.@])@+/\1@/g; s|[KMG]/sec|/sec|; s/@\.@+/@.@/g'; }
compare() { # OPTIONS COMMAND...
	[ "$how" ] || case " $* " in *" -x,"* | *" -j "*) how=mask_fields ;; *" -I "*) how=mask_interval ;; *) how=mask_text ;; esac
	"$REF" stat "$@" 2>ref.raw >/dev/null </dev/null
	ref=$?
	"$PERF" stat "$@" 2>our.raw >/dev/null </dev/null
	our=$?
	: >diff.txt
	case $how in
	refused) [ $our != 0 ]; return ;;
	error) [ $ref != 0 ] && [ $our != 0 ]; return ;;
	status) [ $ref = $our ]; return ;;
	esac
	[ $ref = $our ] || return 1
	$how <ref.raw >ref.txt
	$how <our.raw >our.txt
	diff ref.txt our.txt >diff.txt
}
# stat LINE. In front of the options may stand what is special:
#   status |   only the exit status is compared     error |   ... of what both refuse, in words of their own
#   refused |  what ours refuses, and the reference does with a part of the events
stat() {
	how=
	case $1 in *" | "*) how=${1%% | *} ;; esac
	set -f
	set -- ${1#* | }
	set +f
	if tries 3 compare "$@"; then
		ok "stat $*"
	else
		{ cat diff.txt; echo "-- reference, $ref:"; cat ref.raw; echo "-- ours, $our:"; cat our.raw; } >why.txt
		LINES_SHOWN=70 not_ok "stat $*" why.txt
	fi
}

# What runs while others look: woken every now and then, so that nothing is idle for the whole of an interval
while :; do
	"$PROGRAMS/work" 5000
	usleep 10000
done &
busy=$!

while read -r line; do
	stat "$line"
done <<END
$W
-d $W
-d -d $W
-d -d -d $W
-x, $W
-x, -d -d -d $W
-j $W
-j -d -d -d $W
-e cycles $W
-e cycles,instructions $W
-e instructions,cycles $W
-e instructions $W
-e cycles:u,cycles:k,cycles:h $W
-e cycles:u,cycles:k,cycles:uk,cycles:hu $W
-e instructions:u,instructions:k,cycles:u,cycles:k $W
-e cycles:u,instructions:u,instructions $W
-e cycles:G,cycles:H,cycles:I,cycles:D,cycles:e $W
-e task-clock,cycles,cycles:u $W
-e cycles,stalled-cycles-frontend,stalled-cycles-backend $W
-e stalled-cycles-backend,cycles $W
-e cycles,instructions,stalled-cycles-frontend,stalled-cycles-backend $W
-e cycles,instructions,branches,branch-misses,cache-references,cache-misses,bus-cycles,ref-cycles $W
-e L1-dcache-loads,L1-dcache-load-misses,LLC-loads,dTLB-load-misses $W
$G-e {cycles,instructions} $W
refused | -e {cycles,instructions},{branches,branch-misses} $W
$G-e {cycles,instructions}:u $W
$G-e {cycles:u,instructions:k} $W
-e {cycles,task-clock,page-faults} $W
error | -e mine:{cycles,instructions} $W
$G-g -e cycles,instructions $W
--metric-only $W
--metric-only -e cycles,instructions $W
--metric-only -x, -e cycles,instructions $W
status | --metric-only -j -e cycles,instructions $W
--metric-only -I 60 --interval-count 2 -e cycles,instructions $LL
--metric-only -a -A -e cycles,instructions sleep 0.2
--metric-only -a --per-core -e cycles,instructions sleep 0.2
--metric-only -a --per-socket -x, -e cycles,instructions sleep 0.2
--no-scale -e cycles,instructions $W
--all-user -e cycles,instructions $W
--all-kernel -e cycles,instructions $W
-B -e cycles $W
--no-big-num -e cycles $W
-i -e cycles sh -c $PROGRAMS/work
-D 20 --timeout 100 -e cycles $LL
--timeout 100 -e cycles sleep 3
-a -e cycles sleep 0.1
-a sleep 0.1
-a -d sleep 0.1
-a -A -e cycles sleep 0.1
-a -A -e cycles,instructions,task-clock sleep 0.1
$G-a -A -e {cycles,instructions} sleep 0.1
-a -A sleep 0.1
-a -A -x, sleep 0.1
-a -A -j sleep 0.1
-a --per-core -e cycles,instructions sleep 0.1
-a --per-die -e cycles,instructions sleep 0.1
-a --per-socket -e cycles,instructions sleep 0.1
-a --per-node -e cycles,instructions sleep 0.1
-a --per-core sleep 0.1
-a --per-core -x, sleep 0.1
-a --per-core -j sleep 0.1
-a --per-socket sleep 0.1
-a --per-socket -x, -e cycles,instructions sleep 0.1
-a --per-socket -j -e cycles,instructions sleep 0.1
-a --per-node -x, -e cycles sleep 0.1
-C 0 -e cycles,instructions sleep 0.1
-C 0 -A -e cycles,instructions sleep 0.1
-I 60 --interval-count 2 -e cycles $LL
-I 60 --interval-count 2 -e cycles,instructions $LL
-I 60 --interval-count 2 -a -e cycles,instructions sleep 1
-I 60 --interval-count 2 -a -A -e cycles sleep 1
-I 60 --interval-count 2 -a --per-core -e cycles,instructions sleep 1
-I 60 --interval-count 2 -x, -e cycles,instructions $LL
-I 60 --interval-count 2 -j -e cycles,instructions $LL
-I 60 --interval-count 2 -a -d sleep 1
-r 3 -e cycles,instructions $W
-r 3 $W
-r 3 -d $W
-r 3 -x, -e cycles,instructions $W
-r 3 -j -e cycles,instructions $W
-r 3 -a -A -e cycles sleep 0.1
status | -r 2 --table -e cycles $W
-p $busy -e cycles,instructions sleep 0.2
-t $busy -e cycles,instructions sleep 0.2
--per-thread -p $busy -e cycles,instructions sleep 0.2
-x, --per-thread -p $busy -e cycles,instructions sleep 0.2
status | -M IPC $W
error | --topdown $W
error | --topdown -a sleep 0.1
-e r11,r08 $W
-e cpu-clock,cycles,cycles $W
END

if [ "$arm" -gt 0 ]; then
	# 6 counters, and one of cycles
	while read -r line; do
		stat "$line"
	done <<-END
	-e armv8_pmuv3/cpu_cycles/,armv8_pmuv3/stall_frontend/,armv8_pmuv3/stall_backend/ $W
	-e armv8_pmuv3/event=0x11/,armv8_pmuv3/config=17,name=mine/u $W
	-e {armv8_pmuv3/cpu_cycles/,r11,r23} $W
	-e r11,r11,r11,r11,r11,r11 $L
	-e r11,r11,r11,r11,r11,r11,r11,r11,r11,r11,r11,r11 $L
	-e cycles,r11,r11,r11,r11,r11,r11,r11,r11 -x, $L
	-e cycles,r11,r11,r11,r11,r11,r11,r11,r11 -j $L
	-e cycles,r11,r11,r11,r11,r11,r11,r11,r11 -I 100 --interval-count 2 $LL
	-e cycles,r11,r11,r11,r11,r11,r11,r11,r11 -a -A sleep 0.4
	-e {cycles:u,r11:u},{r11:k,cycles:k},{r11,r11,r11,r11},{cycles:uk,r24,r23} $L
	refused | -e {r11,r11,r11,r11,r11,r11,r11,r11} $W
	-e {r11,r11,r11,r11,r11,r11,r11,r11}:W $L
	refused | -e {cycles,r11,r11,r11,r11,r11,r11,r11}:D $W
	--no-scale -e r11,r11,r11,r11,r11,r11,r11,r11,r11 $L
	-r 2 -e cycles,r11,r11,r11,r11,r11,r11,r11,r11 $L
	END
fi
kill $busy
finish
