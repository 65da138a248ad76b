# perf probe on a kernel that has kprobes: made, listed, recorded, filtered and deleted, beside the reference.
# guests: x86-6.*
# short: x86-6.1 x86-6.12
. /lab/lib.sh
t=/sys/kernel/tracing
[ -d $t/events ] || mount -t tracefs tracefs $t
all() { cat $t/kprobe_events $t/uprobe_events; }
# made PERF WORDS...: what it says, what the kernel has then, how it is listed, and how it goes
made() {
	perf=$1
	shift
	"$perf" probe "$@" 2>&1
	all
	"$perf" probe -l 2>&1
	"$perf" probe -d '*:*' 2>&1
	all
}
# both WORDS...: the same by both; something must have been made
both() {
	made "$REF" "$@" >ref.txt
	made "$PERF" "$@" >our.txt
	grep -q '^Added new event' our.txt || cp our.txt ref.txt
	same "probe $*" ref.txt our.txt
	check "probe $*: made and removed" sh -c 'grep -q "^Added new event" our.txt && ! tail -1 our.txt | grep -q "^[pr][0-9]*:"'
}
both vfs_read
both --add vfs_read
both 'vfs_read%return'
both 'vfs_read%return $retval'
both 'vfs_read%return got=$retval:s64 $comm'
both 'do_sys_openat2 name=+0(%si):ustring'
both 'g:ev=vfs_write count=%dx:u32 c=$comm'
both 'vfs_write $stack0 +8($stack) \5'
both 'vfs_write count=$arg3'
both 'vfs_re*'
both 'own=vfs_re*'
both -m virtio_blk virtio_queue_rq
both -m virtio_blk 'virtio_queue_rq%return $retval'
both -m virtio_blk 'own:begin=virtio_queue_rq hctx=%di'
"$REF" probe -q -f -a vfs_read -a 'vfs_read' 2>ref.txt; all >>ref.txt; "$REF" probe -q -d '*:*'
"$PERF" probe -q -f -a vfs_read -a 'vfs_read' 2>our.txt; all >>our.txt; "$PERF" probe -q -d '*:*'
same "a name that is taken gets a number" ref.txt our.txt
"$REF" probe -F 'vfs_r*' >ref.txt 2>&1
"$PERF" probe -F 'vfs_r*' >our.txt 2>&1
same "functions" ref.txt our.txt

# refused WORD-IN-THE-MESSAGE WORDS...
refused() {
	words=$1
	shift
	"$PERF" probe "$@" 2>err.txt
	status=$?
	check "refused: $*" sh -c "[ $status != 0 ] && grep -q -- \"$words\" err.txt || { cat err.txt; false; }"
}
refused "Probe point 'vfs_nosuch' not found in 'the kernel'" vfs_nosuch
refused "no instruction begins there" vfs_read+1
refused "the kernel takes no probes there" do_int3
refused "there is no module 'nosuch'" -m nosuch foo
refused "there is no debug information of 'the kernel'" vfs_read:3
refused "no parameter has that name" 'vfs_read nothing'
refused "'how' (open_how) has no member 'nothing'" 'do_sys_openat2 how->nothing'
check "nothing was left by refusals" [ -z "$(all)" ]

# values: the same recording is read by both
echo hello >greeting
"$PERF" probe -q -a 'opened=do_sys_openat2 name=+0(%si):ustring' -a 'got=vfs_read%return got=$retval:s64' -a 'asked=vfs_read count=%dx:u32' ||
	not_ok "three probes"
record() { "$PERF" record -q -o p.data "$@" -- dd if=greeting of=/dev/null bs=77 >/dev/null 2>rec.err; }
# fields WORDS...: what was recorded of dd
fields() { "$PERF" script -i p.data -F comm,event,trace 2>/dev/null | sed -n 's/^ *dd *//p'; }
record -e 'probe:*'
fields >fields.txt
check "a string" grep -q '^probe:opened: .*name="greeting"$' fields.txt
check "what was asked for" grep -q '^probe:asked: .*count=77$' fields.txt
check "what was returned" grep -q '^probe:got__return: .*got=6$' fields.txt
read_both "script of probes" p.data script -F comm,pid,event,trace
cat >filters <<'END'
probe:asked|count == 77|2
probe:asked|count != 77 \&\& count == 78|0
probe:asked|count > 76 \&\& count <= 77|2
probe:asked|count \& 0x4d \&\& count == 77|2
probe:got__return|got == 6|1
probe:opened|name == "greeting"|1
probe:opened|name ~ "*eet*"|1
probe:opened|name ~ "*eet"|0
probe:opened|name != "greeting" \&\& name ~ "g*"|0
END
case $GUEST in *6.12*)
	echo 'probe:asked|count == 77 \&\& CPU \& CPUS{0-1}|2'
	echo 'probe:asked|count == 77 \&\& CPU != CPUS{0-1}|2' ;;
esac >>filters
sed 's/\\&/\&/g' filters | while IFS='|' read -r event filter n; do
	record -e "$event" --filter "$filter" || cat rec.err
	[ "$(fields | wc -l)" = "$n" ] || echo "$event $filter: $(fields | wc -l) instead of $n: $(cat rec.err)"
done >wrong.txt 2>&1
check "filters let through what they should" sh -c '! grep . wrong.txt'
# mistakes: the caret stands below them
"$PERF" record -o p.data -e probe:asked --filter 'cuont == 1' true 2>err.txt
check "a field that is not there" sh -c "grep -q \"has no field 'cuont'; did you mean 'count'?\" err.txt && grep -q '^                      .___ ' err.txt || { cat err.txt; false; }"
"$PERF" record -o p.data -e probe:asked --filter 'count == ' true 2>err.txt
check "a value that is missing" sh -c 'grep -q "^                               .___ a value should stand here$" err.txt || { cat err.txt; false; }'
"$PERF" stat -x, -e probe:asked --filter 'count == 77' -o counts.txt -- dd if=greeting of=/dev/null bs=77 >/dev/null 2>err.txt
check "stat counts by a filter" sh -c 'grep -q "^2,,probe:asked," counts.txt || { cat counts.txt err.txt; false; }'
"$PERF" trace -o trace.txt --no-syscalls -e 'probe:*' -- dd if=greeting of=/dev/null bs=77 >/dev/null 2>err.txt
check "trace shows them" sh -c 'grep -q "probe:opened(.*name: \"greeting\")" trace.txt && grep -q "probe:got__return(.*got: 6)" trace.txt || { cat trace.txt err.txt; false; }'
# without debug information parameters are known by the kernel's own types
"$PERF" probe -V vfs_read >vars.txt 2>&1
check "-V" [ "$(tr -d '\t\n' <vars.txt)" = "Available variables at vfs_read@<vfs_read+0>char*buf""loff_t*pos""size_tcount""struct file*file" ]
"$PERF" probe -q -a 'typed=vfs_read count file->f_path.dentry->d_name.name:string' -a 'full=do_sys_openat2 filename:string how->flags:x32' \
	2>err.txt || not_ok "two probes by types" err.txt
"$PERF" probe -q -m virtio_blk -a 'ended=virtblk_done vq->name:string vq->index' 2>err.txt || not_ok "a module's by types" err.txt
record -e probe:typed -e probe:full
fields >fields.txt
check "parameters by their types" sh -c 'grep -q "^probe:typed: .* count=\(77\|0x4d\) name=\"greeting\"$" fields.txt && grep -q "^probe:full: .* filename_string=\"greeting\" flags=0x8000$" fields.txt || { cat fields.txt; false; }'
record -e probe:typed --filter 'name == "greeting" && count & 1'
check "and filters of them" [ "$(fields | wc -l)" = 2 ]
"$PERF" record -q -a -o p.data -e probe:ended -- dd if=/dev/vda of=/dev/null bs=4k count=1 skip=9999 2>/dev/null
"$PERF" script -i p.data -F event,trace >lines.txt 2>/dev/null
check "of a module, too" sh -c 'grep -q "probe:ended: .* name=\"req\.[01]\" index=\(0x\)\?[01]$" lines.txt || { cat lines.txt; false; }'
"$PERF" probe -d 'typed' -d full -d ended 2>del.txt
"$PERF" probe -d '*' 2>del.txt
check "deleted" [ "$(grep -c '^Removed event: probe:' del.txt) $(all)" = "3 " ]

# for as long as the command
"$PERF" record -q -o p.data -e 'kprobe:do_sys_openat2(name=+0(%si):ustring)' -e 'kretprobe:vfs_read($retval:s64)' -- dd if=greeting of=/dev/null bs=77 >/dev/null 2>err.txt
fields >fields.txt
check "probes of a command have values" sh -c 'grep -q "^kprobe:do_sys_openat2: .*name=\"greeting\"$" fields.txt && grep -q "^kretprobe:vfs_read: .*arg1=6$" fields.txt || { cat fields.txt err.txt; false; }'
"$PERF" stat -x, -e kprobe:vfs_read,kretprobe:vfs_read -o counts.txt -- dd if=greeting of=/dev/null bs=77 >/dev/null 2>err.txt
check "they are counted" sh -c 'awk -F, "/vfs_read/ && \$1 >= 2 { n++ } END { exit n != 2 }" counts.txt || { cat counts.txt err.txt; false; }'
"$PERF" stat -x, -e kprobe:virtio_blk:virtblk_done -o counts.txt -a -- dd if=/dev/vda of=/dev/null bs=4k count=8 2>err.txt
check "in a module, too" sh -c 'awk -F, "/virtblk_done/ && \$1 > 0 { n++ } END { exit n != 1 }" counts.txt || { cat counts.txt err.txt; false; }'
check "and nothing stays" [ -z "$(all)" ]
finish
