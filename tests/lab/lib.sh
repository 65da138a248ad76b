# What tests in a guest share: . /lab/lib.sh. busybox sh; they run in a folder of their own.
# PERF is ours, REF Debian's perf 6.1, PROGRAMS the test programs; what is put into /out comes out of the guest.
# Each check is a line of TAP, and the test ends with `finish`.
checks=0 failures=0

ok() { checks=$((checks + 1)); echo "ok $checks - $*"; }
# not_ok NAME [FILE]: the file says what was wrong
not_ok() {
	checks=$((checks + 1)) failures=$((failures + 1))
	[ -z "${2:-}" ] || head -n "${LINES_SHOWN:-40}" "$2" | cut -c1-180
	echo "not ok $checks - $1"
}
skip() { checks=$((checks + 1)); echo "ok $checks - $1 # SKIP $2"; }
finish() { [ $checks -gt 0 ] && [ $failures = 0 ]; exit; }

# check NAME COMMAND...: it succeeds
check() {
	name=$1
	shift
	if "$@" >check.out 2>&1; then ok "$name"; else not_ok "$name" check.out; fi
}
# same NAME FILE FILE: the reference's first
same() {
	if diff "$2" "$3" >same.out 2>&1; then ok "$1"; else not_ok "$1" same.out; fi
}
# tries N COMMAND...: what a busy machine can spoil gets another chance
tries() {
	left=$1
	shift
	until "$@"; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
	done
}
# number_between VALUE LOW HIGH, fractions too
number_between() { awk -v v="$1" -v l="$2" -v h="$3" 'BEGIN { exit !(v ~ /^[0-9.]+$/ && v >= l && v <= h) }'; }

# Both perfs say the same of a file: read_both NAME FILE WORDS...
read_both() {
	name=$1 file=$2
	shift 2
	"$REF" "$@" -i "$file" >ref.txt 2>ref.err </dev/null
	"$PERF" "$@" -i "$file" >our.txt 2>our.err </dev/null
	# a tip is another one each time; the reference has none where perf isn't installed
	sed -i -E '/^# \((Tip: |Cannot load tips)/d' ref.txt our.txt
	grep -q . our.txt || [ ! -s ref.txt ] || cat our.err
	same "$name" ref.txt our.txt
}
