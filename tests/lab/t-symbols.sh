# Names of kernel functions and of those of modules, where the kernel was linked and where it was moved to (KASLR): what
# perf 6.1 says of the same file. t-symbols.host reads it on another machine, with the files of the modules.
# guests: *
# ci: x86-6.1
# short: x86-6.1-kaslr arm64-6.12
. /lab/lib.sh

text=$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
case $(uname -m) in
x86_64)
	linked=ffffffff81000000
	# the loader of a bzImage moves the kernel, that of an ELF file does not
	if [ "${GUEST%-kaslr}" = "$GUEST" ]; then
		check "the kernel lies where it was linked" test "$text" = $linked
	else
		check "the kernel was moved" test "$text" != $linked
	fi
	;;
esac

mkdir -p /out/symbols
load='for i in 1 2 3; do dd if=/dev/vda of=/dev/null bs=4k count=1000 iflag=direct; ls -lR /proc/sys/kernel; done'
for by in "$PERF" "$REF"; do
	who=ours
	[ "$by" = "$PERF" ] || who=reference
	"$by" record -q -e cpu-clock:k -c 200000 -a -g -o $who.data sh -c "$load" >/dev/null 2>&1
	# the reference reads /proc/kcore here, calls all that is in it [kernel.kallsyms], and lets a module's last function go
	# on through the stubs behind it
	for perf in "$REF" "$PERF"; do
		name=ours
		[ "$perf" = "$PERF" ] || name=reference
		"$perf" script -i $who.data -G -F comm,tid,time,event,ip,sym,symoff 2>/dev/null | sed 's/ cleanup_module+.*/ [unknown]/' >$who.$name
	done
	same "recorded by $who: names and offsets" $who.reference $who.ours
	awk '$(NF) ~ /^[a-zA-Z_]/ { named++ } END { print named + 0 " of " NR " have names"; exit !(NR >= 20 && named >= 0.98 * NR) }' $who.ours >named.txt &&
		ok "recorded by $who: $(cat named.txt)" || not_ok "recorded by $who: functions have names" named.txt
	"$PERF" report -i $who.data --stdio --no-children -g none -s dso,sym >$who.report 2>/dev/null
	grep -qE '\[virtio_(blk|ring|pci)\] +\[k\] +[a-z_]+' $who.report && ok "recorded by $who: modules have names" ||
		not_ok "recorded by $who: modules have names" $who.report
	"$PERF" script -i $who.data -F comm,tid,time,event,ip,sym,symoff,dso 2>/dev/null | grep -vE ' \(/|vdso' >$who.script
	"$PERF" report -i $who.data --header-only >$who.header 2>/dev/null
	"$REF" report -i $who.data --header-only >$who.ref-header 2>/dev/null
	cp -p $who.* /out/symbols
done
cat /proc/kallsyms >/out/symbols/kallsyms
mkdir -p /out/symbols/root/lib
cp -a /lib/modules /out/symbols/root/lib
finish
