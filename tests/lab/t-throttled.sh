# Time in a control group of version 2 that has used up its time, on kernels that stop its tasks wherever they are.
# guests: x86-6.*
# short: x86-6.12
. /lab/lib.sh

mkdir -p group
folder=$PWD/group/limited
mount -t cgroup2 none group 2>mount.err && echo +cpu >group/cgroup.subtree_control && mkdir "$folder" && echo '10000 50000' >"$folder/cpu.max" ||
	{ skip "throttled" "no control group with a quota: $(cat mount.err)"; finish; }
cat >join <<END
echo \$\$ >$folder/cgroup.procs
exec "\$@"
END
account() { awk '$1 == "throttled_usec" { print $2 * 1000 }' "$folder/cpu.stat"; }
for source in bpf sums; do
	before=$(account)
	check "recorded by $source" "$PERF" record -q --wall=$source -o w.data sh join "$PROGRAMS/work" 20000000
	known=$(($(account) - before))
	"$PERF" report -i w.data --wall -g none -q -t, -F period,state,reason >rows.txt 2>&1
	got=$(tr -d ' ' <rows.txt | awk -F, '$2 == "runnable" && $3 == "throttled" { n += $1 } END { print n + 0 }')
	check "the group is throttled" test "$known" -gt 0
	[ "$got" -ge $((known / 2)) ] && ok "throttled by $source: $got ns of $known" || { echo "$got of $known" >>rows.txt; not_ok "throttled by $source" rows.txt; }
	"$PERF" record -q --wall=$source -o w.data "$PROGRAMS/work" 2000000
	"$PERF" report -i w.data --wall -g none -q -s reason 2>&1 | grep throttled >rows.txt && not_ok "$source: not outside of the group" rows.txt || ok "$source: not outside of the group"
done
rmdir "$folder"
umount group
finish
