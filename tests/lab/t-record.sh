# Recordings of this machine by both perfs, read by both: the same texts. Kernel functions have names.
# guests: *
# short: arm64-6.12
. /lab/lib.sh

# PMU sampling where the machine has it
counts() {
	"$REF" record -q -e cycles:u -o probe.data "$PROGRAMS/shares" 0.3 2>/dev/null
	"$REF" report -i probe.data --stdio 2>/dev/null | grep -q hot
}
event=cpu-clock
! tries 3 counts || event=cycles

texts() { # NAME FILE
	for words in "report --stdio --no-inline" "report --stdio --no-children -s comm,dso,symbol --no-inline" "script -F +period" \
		"evlist -v" "report --header-only" "report --tasks" "report --stdio --stats" "buildid-list"; do
		read_both "$1: $words" "$2" $words
	done
}

for by in "$PERF" "$REF"; do
	who=ours
	[ "$by" = "$PERF" ] || who=reference
	"$by" record -q -e $event -o plain.data "$PROGRAMS/shares" 0.5 2>/dev/null
	texts "plain by $who" plain.data
	"$by" record -q -e $event -a -o all.data sleep 0.3 2>/dev/null
	texts "-a by $who" all.data
	"$by" record -q -e $event:u -c 200000 -g -o chains.data "$PROGRAMS/deep" 5 0.2 2>/dev/null
	read_both "chains by $who: script" chains.data script -G
	"$by" record -q -e sched:sched_switch,syscalls:sys_enter_openat -a -o trace.data ls / >/dev/null 2>&1
	texts "tracepoints by $who" trace.data
	"$by" record -q -e "{$event,page-faults}:S" -o group.data "$PROGRAMS/shares" 0.2 2>/dev/null
	read_both "group by $who: report" group.data report --stdio --group --no-inline
done

# The attributes that both ask for, without what a busy machine changes (the rate). Stacks are left alone, or the
# file would hold chains and its attributes say so.
for how in "-e $event" "-e $event:u -g" "-e $event -a" "-e $event:k -c 100000" "-e {$event,page-faults}:S" "-e $event --call-graph dwarf"; do
	"$REF" record -q $how -o a.data true >/dev/null 2>&1
	"$PERF" record -q --keep-stack $how -o b.data true >/dev/null 2>&1
	"$REF" evlist -v -i a.data >ref.txt 2>&1
	"$REF" evlist -v -i b.data >our.txt 2>&1
	sed -i -E '/sample_freq \}: [0-9]+, /{/freq: 1/s/sample_freq \}: [0-9]+/sample_freq }: N/}; /dummy/d' ref.txt our.txt
	same "attributes of record $how" ref.txt our.txt
done

# For the reading elsewhere (t-record.host): with the files that lie here. Without the vdso, which is no file: chains that
# lead through it are one by its function's name, and many by its addresses.
"$PERF" record -q -e $event -o plain.data "$PROGRAMS/shares" 0.5 2>/dev/null
"$PERF" record -q -e $event -a -o all.data ls -R /proc/sys >/dev/null 2>&1
"$PERF" record -q -e $event:u -c 200000 -g -o chains.data "$PROGRAMS/deep" 5 -60 2>/dev/null

"$PERF" record -q -e $event:k -a -o kernel.data ls -lR /proc/sys >/dev/null 2>&1
"$PERF" report -i kernel.data --stdio --no-children -s symbol 2>&1 | grep -F '[k]' >kernel.txt
awk '{ all += $1 } $3 ~ /^[a-z_]/ { named += $1 } END { exit !(named > 0.98 * all && all > 20) }' kernel.txt &&
	ok "kernel functions have names" || not_ok "kernel functions have names" kernel.txt

mkdir -p /out/record
cp plain.data all.data chains.data trace.data /out/record
for file in plain all chains trace; do
	"$REF" script -i $file.data -F comm,tid,time,event,ip,sym,dso -G 2>/dev/null | grep -v vdso >/out/record/$file.script
	"$REF" report -i $file.data --stdio --no-children -g none --no-inline -t '|' 2>/dev/null |
		grep -vE '^# \(|vdso' >/out/record/$file.report
	"$PERF" script -i $file.data -F comm,tid,time,period,event,ip,sym,symoff,dso 2>/dev/null | grep -v vdso >/out/record/$file.our-script
	"$PERF" report -i $file.data --stdio --no-inline 2>/dev/null | grep -vE '^# \(|vdso' >/out/record/$file.our-report
done
cat /proc/kallsyms >/out/record/kallsyms
for file in /lib/*-linux-gnu /lib/ld* /lib64/ld* /lab/programs /lab/bin/perf /usr/bin/perf-6.1 /bin/busybox; do
	[ ! -e "$file" ] || { mkdir -p "/out/root/${file%/*}" && cp -a "$file" "/out/root/${file%/*}"; }
done
finish
