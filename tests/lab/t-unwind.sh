# Stacks that were copied here are unwound here and (t-unwind.host) on another kind of processor; those of
# another one are unwound here.
# guests: arm64-6.1 arm64-6.12 x86-6.1
. /lab/lib.sh
"$PROGRAMS/stacks" 0 >truth

# right NAME FILE: the truth that the program prints
right() {
	"$PERF" script --no-inline -i "$2" -F ip,sym 2>script.err | awk -f "$PROGRAMS/right.awk" -v why=why truth - >share
	read -r share samples <share
	[ "$share" -ge 995 ] && [ "$samples" -ge 100 ] && ok "$1: $share of 1000 frames are right, $samples samples" ||
		{ cat share script.err >>why; not_ok "$1" why; }
}

# take FILE PERF OPTIONS...: A guest that waits for a processor of the host gets one sample for all the ticks that it slept
# through: of two seconds 1000 on an idle host, some hundred on a busy one. Then for longer.
take() {
	file=$1 by=$2
	shift 2
	for seconds in 2 5 12 30; do
		"$by" record $how "$@" -o $file "$PROGRAMS/stacks" $seconds >/dev/null 2>&1
		[ "$("$PERF" script -i $file -F event --no-inline 2>/dev/null | grep -c .)" -lt 120 ] || break
	done
}

mkdir -p /out/unwind
how="-q -F 499 -e cpu-clock:u --call-graph dwarf,16384"
for by in "$PERF" "$REF"; do
	who=ours
	[ "$by" = "$PERF" ] || who=reference
	keep=
	[ $who = reference ] || keep=--keep-stack
	take $who.data "$by" $keep
	right "dumps of $who" $who.data
	cp $who.data /out/unwind
done
take chains.data "$PERF"
right "unwound while recording" chains.data
cp truth chains.data /out/unwind
"$PERF" script -i /lab/data/dwarf.data --symfs /lab/data/root --no-inline -F ip,sym,dso >/out/unwind/x86.script 2>/dev/null
for file in "$PROGRAMS/stacks" /lib/*-linux-gnu*/libc.so.6 /lib/ld-linux* /lib64/ld-linux*; do
	[ ! -e "$file" ] || { mkdir -p "/out/root/${file%/*}" && cp -L "$file" "/out/root/${file%/*}"; }
done
finish
