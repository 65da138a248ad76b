# Sampling by a PMU: how many samples, whose, in what state, in groups and with more events than counters. Numbers are
# exact where time is instructions (arm64-icount), else within bounds that follow from the event.
# guests: arm64-*
# short: arm64-icount
# ci: arm64-icount
. /lab/lib.sh

pmu=$(ls /sys/bus/event_source/devices | grep -m1 armv8)
[ "$pmu" ] || { echo "no PMU here"; exit 77; }
icount=
[ "$(nproc)" -gt 1 ] || icount=yes
record() { "$PERF" record -q -o it.data "$@" >/dev/null 2>record.err; }
# lines FIELDS: of it.data
lines() { "$PERF" script -i it.data -G -F "$1" 2>script.err; }
verdict() { # NAME, after a test; facts.txt says what was seen
	got=$?
	cat record.err script.err >>facts.txt
	if [ $got = 0 ]; then ok "$1"; else not_ok "$1" facts.txt; fi
}

# As many samples as the count says, in every run. Where time is real, a program that is sampled takes more cycles than one that
# is not, several times more when the host has other work; but never more than there were ns, of which each has one.
counted=$(for i in 1 2 3; do "$REF" stat -x, -e cycles:u "$PROGRAMS/work" 2000000 2>&1 | cut -d, -f1; done | sort -n | head -n 1)
record -e cycles:u -c 100000 "$PROGRAMS/work" 2000000
lines period >periods
n=$(grep -c . periods)
most=$(lines time | tr -d : | awk 'NR == 1 { first = $1 } END { printf "%d", ($1 - first) * 10000 * 1.01 + 2 }')
echo "$n samples of 100000, counted $counted, at most $most" >facts.txt
if [ $icount ]; then
	number_between "$n" $((counted / 100000 - 1)) $((counted / 100000 + 1))
	verdict "as many samples as the count says"
	record -e cycles:u -c 100000 "$PROGRAMS/work" 2000000
	again=$(lines period | grep -c .)
	echo "$n, again $again" >facts.txt
	[ "$n" = "$again" ]
	verdict "the same number in every run"
	"$REF" record -q -e cycles:u -c 100000 -o ref.data "$PROGRAMS/work" 2000000 >/dev/null 2>&1
	ref=$("$PERF" script -i ref.data -F period | grep -c .)
	echo "$n, the reference's $ref" >facts.txt
	number_between "$n" $((ref - 1)) $((ref + 1))
	verdict "as many as the reference takes"
else
	number_between "$n" $((counted / 400000)) "$most"
	verdict "about as many samples as the count says"
fi
awk '$1 != 100000 { exit 1 }' periods
verdict "each has the period that was asked for"

# Where the time goes: 75, 20 and 5 %
record -e cycles:u -c 200000 "$PROGRAMS/shares" 1
lines ip,sym | awk '$2 ~ /^(hot|warm|cold)$/ { n[$2]++; all++ } END { if (all) print 100 * n["hot"] / all, 100 * n["warm"] / all, all }' >facts.txt
read -r hot warm all <facts.txt
number_between "${hot:-0}" 70 80 && number_between "$warm" 15 25 && [ "$all" -ge 100 ]
verdict "samples fall where the time goes"
record -e cycles:u -c 200000 "$PROGRAMS/work" 6000000
for words in "report --stdio --no-inline" "report --stdio --no-children -s comm,sym --no-inline" "script -F comm,tid,cpu,time,period,event,ip,sym,symoff,dso" \
	"report --stdio --no-children -s comm,dso,sym -F overhead,period,sample,sym --no-inline"; do
	read_both "cycles: $words" it.data $words
done
record -F 2000 -e cycles:u "$PROGRAMS/shares" 1
n=$(lines ip | grep -c .)
echo "$n samples in a second at 2000 Hz" >facts.txt
number_between "$n" 100 4000
verdict "a rate is kept"

# The caller's caller, from the frame pointers
record -e cycles:u -c 400000 -g "$PROGRAMS/deep" 5 0.5
"$PERF" script -i it.data -F ip,sym 2>script.err | awk 'NF { chain = chain " " $2; next } chain { print chain; chain = "" } END { if (chain) print chain }' |
	grep '^ bottom' | sort | uniq -c | sort -rn >facts.txt
awk '{ all += $1 } / bottom odd even odd even odd even main( |$)/ { right += $1 } END { exit !(all >= 20 && right >= 0.95 * all) }' facts.txt
verdict "call chains are whole"
record -e cycles -c 200000 -g dd if=/dev/zero of=/dev/null bs=64k count=3000
# Of cycles of a system call, where time is real, most are sampled on the way back to the program; in the kernel are always some.
if [ $icount ]; then least=0.9; else least=0.05; fi
"$PERF" script -i it.data -F ip 2>script.err | awk -v least=$least 'NF { n++; k = k || $1 ~ /^ffff/; u = u || (k && $1 !~ /^ffff/); next }
	n { all++; kernel += k; both += u; n = k = u = 0 }
	END { print all " chains, " kernel " from the kernel, " both " of these into the program"
		exit !(all >= 20 && kernel >= least * all && kernel >= 10 && both >= 0.9 * kernel) }' >facts.txt
verdict "call chains lead from the kernel into the program"
read_both "call chains: script" it.data script -G
read_both "call chains: report" it.data report --stdio --no-children -g none --no-inline

# :u and :k. An interrupt that the kernel holds back comes when it has returned to the program. Where time is real the
# emulation's come so late that this says nothing, and of two events that are the same one counts less.
if [ $icount ]; then
	record -e cycles:k,cycles:u -c 200000 dd if=/dev/zero of=/dev/null bs=64k count=3000
	lines event,ip | awk '{ n[$1]++; if (($1 == "cycles:k:") != ($2 ~ /^ffff/)) bad++ }
		END { print n["cycles:k:"], n["cycles:u:"], bad + 0 " wrong"; exit !(n["cycles:k:"] >= 10 && bad <= NR / 20) }' >facts.txt
	verdict ":k is the kernel, :u is not"
	record -e cycles -c 200000 --all-kernel dd if=/dev/zero of=/dev/null bs=64k count=3000
	lines ip | awk '$1 !~ /^ffff/ { bad++ } END { print NR " samples, " bad + 0 " not of the kernel"; exit bad > NR / 20 || NR < 10 }' >facts.txt
	verdict "--all-kernel"
	record -e cycles -c 200000 --all-user "$PROGRAMS/shares" 0.3
	lines ip | awk '$1 ~ /^ffff/ { bad++ } END { print NR " samples, " bad + 0 " of the kernel"; exit bad || NR < 10 }' >facts.txt
	verdict "--all-user"
else
	skip ":u, :k and what is read of a group" "interrupts come late in an emulation whose time is real"
fi

# A CPU
if [ ! $icount ]; then
	record -C 1 -e cycles -c 1000000 -a "$PROGRAMS/shares" 0.5
	lines cpu | tr -d '[]' | awk '$1 != 1 { bad++ } END { print NR " samples, " bad + 0 " of another CPU"; exit bad != 0 }' >facts.txt
	verdict "-C 1 is CPU 1"
fi

# Groups: 0x11 is cycles, too. What both say of the file stands for every guest.
alike() { # LOW HIGH NAME
	[ $icount ] || return 0
	lines period,event | awk -v low=$1 -v high=$2 '{ n[substr($2, 1, 3)] += $1 } END { for (e in n) print e, n[e]
		exit !(n["cyc"] > 0 && n["r11"] > low * n["cyc"] && n["r11"] < high * n["cyc"]) }' >facts.txt
	verdict "$3"
}
for group in '{cycles:u,r11:u}' '{cycles,stall_frontend,r11}:S' '{cycles:u,r11:u}:S'; do
	record -e "$group" -c 200000 "$PROGRAMS/work" 6000000
	alike 0.9 1.1 "$group: both say the same"
	read_both "$group: report" it.data report --stdio --group --no-inline
	read_both "$group: script" it.data script -F comm,tid,time,period,event,ip,sym
done

# Ten events, six counters
record -e r11:u -c 100000 "$PROGRAMS/work" 6000000
alone=$(lines ip | grep -c .)
events=
for i in 0 1 2 3 4 5 6 7 8 9; do events=$events,$pmu/event=0x11,name=turn$i/u; done
record -e "${events#,}" -c 100000 "$PROGRAMS/work" 6000000
lines event >events
if [ $icount ]; then low=0.5 high=0.75 least=0.25; else low=0.2 high=3 least=0.01; fi
sort events | uniq -c | awk -v alone="$alone" -v low=$low -v high=$high -v least=$least '{ all += $1; print; if ($1 < least * alone) bad++ }
	END { print "alone " alone; exit !(NR == 10 && !bad && all >= low * 10 * alone && all <= high * 10 * alone) }' >facts.txt
verdict "six of ten events are sampled at a time"
read_both "ten events: report" it.data report --stdio --no-children -s sym --no-inline
read_both "ten events: evlist" it.data evlist -v
finish
