# Stacks that were copied here are unwound here and (t-unwind.host) on another kind of processor; those of
# another one are unwound here.
# guests: arm64-6.1 arm64-6.12 x86-6.1
. /lab/lib.sh
"$PROGRAMS/stacks" 0 >truth

# right NAME FILE: the truth that the program prints
right() {
	"$PERF" script --no-inline -i "$2" -F ip,sym 2>script.err | awk -f "$PROGRAMS/right.awk" -v why=why truth - >share
	read -r share samples <share
	[ "$share" -ge 995 ] && [ "$samples" -ge 50 ] && ok "$1: $share of 1000 frames are right, $samples samples" ||
		{ cat share script.err >>why; not_ok "$1" why; }
}

mkdir -p /out/unwind
how="-q -F 499 -e cpu-clock:u --call-graph dwarf,16384"
for by in "$PERF" "$REF"; do
	who=ours
	[ "$by" = "$PERF" ] || who=reference
	keep=
	[ $who = reference ] || keep=--keep-stack
	"$by" record $how $keep -o $who.data "$PROGRAMS/stacks" 2 >/dev/null 2>&1
	right "dumps of $who" $who.data
	cp $who.data /out/unwind
done
"$PERF" record $how -o chains.data "$PROGRAMS/stacks" 2 >/dev/null 2>&1
right "unwound while recording" chains.data
cp truth chains.data /out/unwind
"$PERF" script -i /lab/data/dwarf.data --symfs /lab/data/root --no-inline -F ip,sym,dso >/out/unwind/x86.script 2>/dev/null
for file in "$PROGRAMS/stacks" /lib/*-linux-gnu*/libc.so.6 /lib/ld-linux* /lib64/ld-linux*; do
	[ ! -e "$file" ] || { mkdir -p "/out/root/${file%/*}" && cp -L "$file" "/out/root/${file%/*}"; }
done
finish
