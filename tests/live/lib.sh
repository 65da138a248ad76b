# What live tests share: . "$(dirname "$0")/lib.sh". They run in a scratch directory that is removed.
# PERF is the perf under test, REF the reference, PROGRAMS the test programs.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$top/build}
PERF=${PERF:-$BUILD/perf}
PROGRAMS=${PROGRAMS:-$BUILD/tests/programs}
REF=${REF:-/usr/bin/perf}
export LC_ALL=C TZ=UTC PAGER=cat PERF_CONFIG=/dev/null
box=$(mktemp -d /tmp/live-XXXXXX)
export HOME="$box"
unset XDG_CACHE_HOME
cd "$box" || exit 1
trap 'rm -rf "$box"' EXIT

fail() { echo "$*"; exit 1; }
skip() { echo "$*"; exit 77; }
need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }
need_ref() { [ -x "$REF" ] || skip "no reference perf at $REF"; }
need_perf_events() {
	[ -e /proc/sys/kernel/perf_event_paranoid ] || skip "the kernel has no perf events"
	"$PERF" record -q -o probe.data -e cpu-clock:u true 2>probe.err ||
		skip "cannot record here: $(tail -1 probe.err)"
}
# The number of samples in a recording, as our report counts them.
samples() { "$PERF" script -i "$1" -F comm 2>/dev/null | grep -c . ; }
# within VALUE WANTED BY: numbers with fractions
within() { awk -v v="$1" -v w="$2" -v by="$3" 'BEGIN { exit !(v >= w - by && v <= w + by) }'; }
# wait_until COMMAND...: until it succeeds; false after a minute
wait_until() {
	left=1200
	until "$@"; do
		[ $((left -= 1)) -gt 0 ] || return 1
		sleep 0.05
	done
}
# measures PID: a perf that has opened and attached everything, and waits for what comes
measures() {
	ls -l "/proc/$1/fd" 2>/dev/null | grep -q 'perf_event\|bpf_link' && grep -q poll "/proc/$1/wchan" 2>/dev/null
}
need_bpf() {
	need_root
	"$PERF" version --build-options | grep -q ' bpf: \[ on' || skip "perf is built without BPF"
	[ -e /sys/kernel/btf/vmlinux ] || skip "the kernel has no type information (BTF)"
}
# Linux MAJOR.MINOR or later
kernel_is() { printf '%s\n%s\n' "$1" "$(uname -r)" | sort -CV; }
# frames_right NAME TRUTH PERF FILE [SAMPLES [READER'S OPTIONS...]]: at least 99.5 % of the frames of a program that
# prints its own call chains (TRUTH) are right, in at least so many samples (500); says what share.
# NAMES is what sed -E does with names first.
frames_right() {
	what=$1 truth=$2 reader=$3 file=$4 enough=${5:-500}
	shift 4
	[ $# = 0 ] || shift
	rm -f why
	"$reader" script --no-inline "$@" -i "$file" -F ip,sym 2>script.err | sed -E "${NAMES:-}" |
		awk -f "$top/tests/programs/right.awk" -v why=why "$truth" - >share
	read -r share judged <share
	echo "$what: $share of 1000 frames are right, in $judged samples"
	[ ! -e why ] || sort -rn why | head -20 | cut -c1-500
	[ "$judged" -ge "$enough" ] || fail "$what: only $judged samples are in the program's leaves: $(head -3 script.err)"
	[ "$share" -ge 995 ] || fail "$what: $share of 1000 frames are right"
}
need_perf_events
