# What stat counts is right: exact where time is instructions (arm64-icount), else within bounds that follow from the event.
# guests: arm64-* ppc64le
# short: arm64-icount
# ci: arm64-icount
. /lab/lib.sh

turns=2000000
W="$PROGRAMS/work $turns"

# count PERF OPTIONS...: the first field of each row
count() {
	by=$1
	shift
	"$by" stat -x, "$@" 2>&1 >/dev/null | cut -d, -f1 | tr '\n' ' '
}
# all numbers of a line equal, and no zeros
equal() { echo "$*" | awk '{ for (i = 1; i <= NF; i++) if ($i != $1 || $i !~ /^[0-9]+$/ || $i < 1) exit 1 }'; }
# ratio A B LOW HIGH
ratio() { awk -v a="$1" -v b="$2" -v l="$3" -v h="$4" 'BEGIN { exit !(b > 0 && a / b >= l && a / b <= h) }'; }
verdict() { # NAME NUMBERS..., after a test
	got=$?
	name=$1
	shift
	echo "numbers: $*" >numbers.txt
	if [ $got = 0 ]; then ok "$name"; else not_ok "$name" numbers.txt; fi
}

# Where a program's memory lies decides how many steps its start-up takes to look through its environment.
echo 0 >/proc/sys/kernel/randomize_va_space

works() { "$REF" stat -x, -e "$1" true 2>&1 | grep -qv '^<not'; }
case $(ls /sys/bus/event_source/devices) in *armv8*) raw=r11 ;; *) raw=cycles ;; esac
# In an emulation whose time is real, two readings are this far apart. The host takes the processor away more seldom than every
# time, and so it is with a counter of 32 bits that is stopped just when it wraps: the emulation's is then wrong by 2^31 or a multiple,
# for both perfs. So what differs more is measured anew, twice.
low=0.3 high=3
# alike NAME COMMANDS COMMANDS: two numbers
measured() {
	numbers="$(eval "$1") $(eval "$2")"
	ratio $numbers $low $high
}
alike() {
	tries 3 measured "$2" "$3"
	verdict "$1" "$numbers"
}
exact=
if works instructions && equal $(count "$REF" -e instructions:u $W) $(count "$REF" -e instructions:u $W); then
	exact=yes low=0.98 high=1.02
fi

if [ $exact ]; then
	# What the reference adds to a command's environment costs the command's start-up a few hundred instructions. Ours with
	# the same is the same to the instruction.
	"$REF" stat -o /dev/null env >environment
	ours=$(env -i $(cat environment) "$PERF" stat -x, -e instructions:u $W 2>&1 >/dev/null | cut -d, -f1)
	reference=$(count "$REF" -e instructions:u $W)
	equal $ours $reference; verdict "instructions:u are the reference's" $ours $reference
	whole=$(count "$PERF" -e instructions:u $W)
	set -- $(count "$PERF" -e instructions:u $W) $(count "$PERF" -i -e instructions:u $W) $(count "$PERF" -r 4 -e instructions:u $W)
	equal $whole "$@"; verdict "... the same in every run" $whole "$@"
	set -- $(count "$PERF" -e '{cycles:u,instructions:u}' $W)
	equal $whole $2; verdict "... in a group" $whole "$@"
	set -- $("$PERF" stat -x, -I 20 -e instructions:u $W 2>&1 | awk -F, '{ s += $2 } END { printf "%d", s }')
	equal $whole "$@"; verdict "... as the sum of intervals" $whole "$@"
	"$PERF" stat -r 4 -e instructions:u $W 2>&1 | grep instructions >line.txt
	grep -q '+-' line.txt && not_ok "four runs do not vary" line.txt || ok "four runs do not vary"
	set -- $(count "$PERF" -e cycles:u,instructions:u $W)
	ratio $1 $2 1.99 2.01; verdict "an instruction takes two cycles" "$@"
	"$PERF" stat -e cycles:u,instructions:u $W 2>&1 | grep instructions:u >line.txt
	grep -qE '# +0\.50  insn per cycle' line.txt && ok "... as the ratio says" || not_ok "... as the ratio says" line.txt
fi

works cycles || { [ $checks -gt 0 ] || { echo "no cycles here"; exit 77; }; finish; }
alike "cycles:u are like the reference's" 'count "$PERF" -e cycles:u $W' 'count "$REF" -e cycles:u $W'
if [ $raw = r11 ]; then # qemu's POWER9 does not tell them apart
	summed() {
		numbers=$(count "$PERF" -e '{cycles:u,cycles:k,cycles}' $W)
		echo "$numbers" | awk '{ exit !(NF == 3 && $1 > 0 && $2 > 0 && $1 + $2 >= 0.9 * $3 && $1 + $2 <= 1.1 * $3) }'
	}
	tries 3 summed
	verdict "user's and kernel's cycles are all" "$numbers"
fi
alike "--all-user is :u" 'count "$PERF" -e cycles:u --all-user $W' 'count "$PERF" -e cycles --all-user $W'
set -- $("$PERF" stat -x, -e cycles -a -A $W 2>&1 | cut -d, -f2)
[ $# = $(nproc) ] && ! echo "$*" | grep -qE '<|^0| 0'; verdict "each CPU counts" "$@"
intervals() { "$PERF" stat -x, -I 50 -e cycles $W 2>&1 | awk -F, '{ s += $2 } END { printf "%.0f\n", s }'; }
alike "intervals sum up to the whole" intervals 'count "$PERF" -e cycles $W'

# More events than counters: what is shown is what it would have been all of the time.
long="$PROGRAMS/work $((turns * 3))"
[ ! $exact ] || low=0.5 high=2
scaled() {
	numbers=$(count "$PERF" -e $raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u $long)
	one=$(count "$PERF" -e $raw:u $long)
	echo "$numbers" | awk -v one="$one" -v low=$low -v high=$high '
		NF != 10 { exit 1 } { for (i = 1; i <= NF; i++) if ($i < one * low || $i > one * high) exit 1 }'
}
tries 3 scaled
verdict "multiplexed counts are scaled to the whole time" "$one:" "$numbers"
if [ $raw = r11 ]; then
	"$PERF" stat -x, -e $raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u $long 2>&1 | cut -d, -f5 >shares.txt
	# 6 counters for 10 events
	awk '{ s += $1; if ($1 >= 100 || $1 < 20) bad++ } END { exit !(NR == 10 && !bad && s / NR > 50 && s / NR < 75) }' shares.txt &&
		ok "6 of 10 run at a time" || not_ok "6 of 10 run at a time" shares.txt
	"$PERF" stat -x, -e "{$raw,$raw,$raw},{$raw,$raw,$raw},{$raw,$raw,$raw}" $long 2>&1 | cut -d, -f5 >shares.txt
	awk '{ v[NR] = $1 } END { exit !(NR == 9 && v[1] == v[2] && v[2] == v[3] && v[4] == v[5] && v[7] == v[9] && v[1] < 100) }' shares.txt &&
		ok "those of a group run at the same time" || not_ok "those of a group run at the same time" shares.txt
	[ $exact ] || { skip "--no-scale leaves them as they are" "what a guest waits for counts as cycles"; finish; }
	"$PERF" stat --no-scale -x, -e $raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u,$raw:u $long 2>&1 |
		awk -F, -v one="$one" '{ s += $1 } END { print s / NR / one; exit !(s / NR < 0.85 * one) }' >share.txt &&
		ok "--no-scale leaves them as they are" || not_ok "--no-scale leaves them as they are" share.txt
fi
finish
