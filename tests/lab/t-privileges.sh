# What works with each perf_event_paranoid and kptr_restrict is what doc/privileges.md says.
# guests: x86-6.1 x86-6.12
. /lab/lib.sh
mount -t tracefs none /sys/kernel/tracing 2>/dev/null
TMPDIR=/tmp "$PROGRAMS/privileges" --sysctls >rows 2>rows.err
[ "$(grep -c '^|' rows)" -ge 20 ] || not_ok "rows are made" rows.err
while read -r row; do
	name=$(echo "$row" | cut -d'|' -f2)
	if grep -qF "$row" "$PROGRAMS/privileges.md"; then ok "as documented:$name"; else echo "$row" >wrong; not_ok "as documented:$name" wrong; fi
done <rows
cp rows /out 2>/dev/null
finish
