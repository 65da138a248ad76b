# A virtual machine inside of the emulated one: what the kernel says of its exits, and samples that fall into it.
# guests: x86-*
. /lab/lib.sh

machine="$PROGRAMS/machine"
"$machine" 1 >left.txt 2>&1 || { skip "a virtual machine" "$(tail -n 1 left.txt)"; finish; }

# It writes to a port 40 times, and is left for each
for by in "$REF" "$PERF"; do
	"$by" stat -x, -e kvm:kvm_pio "$machine" 40 2>&1 >/dev/null | cut -d, -f1,3
done >counts.txt
printf '40,kvm:kvm_pio\n40,kvm:kvm_pio\n' >wanted.txt
same "each exit is counted, by both" wanted.txt counts.txt

for by in "$PERF" "$REF"; do
	who=ours
	[ "$by" = "$PERF" ] || who=reference
	"$by" record -q -e 'kvm:*' -o kvm.data "$machine" 40 >/dev/null 2>&1
	"$PERF" script -i kvm.data -F event,trace 2>script.err | awk '$1 == "kvm:kvm_pio:" && /0x10/ { n++ } END { print n + 0 }' >pio.txt
	echo 40 >wanted.txt
	same "recorded by $who: the port's number, 40 times" wanted.txt pio.txt
	for words in "script -G" "report --stdio --stats" "evlist -v" "report --stdio --no-children -g none -s comm"; do
		read_both "recorded by $who: $words" kvm.data $words
	done
	# What it is left for, by both
	"$by" kvm -o stat.data stat record "$machine" 40 >/dev/null 2>&1
	for words in "" "--event ioport" "-k time"; do
		"$REF" kvm -i stat.data stat report $words >/dev/null 2>ref.txt </dev/null
		"$PERF" kvm -i stat.data stat report $words >our.txt 2>our.err </dev/null
		same "exits, recorded by $who: $words" ref.txt our.txt
	done
	"$PERF" kvm -i stat.data stat report --event ioport -x , | awk -F, '$1 == "0x10:POUT" { print $2 }' >ports.txt
	same "exits for the port, recorded by $who" wanted.txt ports.txt
	# Samples of the machine itself: both count them, and neither shows them among those of this system
	"$by" record -q -e cpu-clock -c 100000 -o guest.data "$machine" 20 2000000 >/dev/null 2>&1
	all=$("$PERF" report -i guest.data --stats 2>script.err | awk '$1 == "SAMPLE" { print $3; exit }')
	shown=$("$PERF" script -i guest.data -F ip 2>>script.err | grep -c .)
	{ echo "$all samples, $shown of this system"; cat script.err; } >guest.txt
	[ "$all" -ge $((shown + 20)) ] && ok "recorded by $who: samples of the machine" || not_ok "recorded by $who: samples of the machine" guest.txt
	for words in "script -F comm,tid,time,event,misc,ip,sym" "report --stdio --stats"; do
		read_both "recorded by $who, samples of the machine: $words" guest.data $words
	done
done
# As it happens
mkfifo quit
"$PERF" kvm stat live -d 1 --event ioport <quit >tables.txt 2>live.err &
watcher=$!
exec 3>quit
seen() { sleep 1; grep -q Total tables.txt; }
tries 60 seen
"$machine" 40 >left.txt 2>&1
sleep 2
echo q >&3
wait $watcher
awk '$1 == "0x10:POUT" { n += $2 } END { print n + 0 }' tables.txt >ports.txt
same "live: exits for the port" wanted.txt ports.txt
finish
