# -D --disable-order: records as they stand in the file, as the reference prints them; one that it does not order by is unhandled
cd "$DATA" && perf report -D --disable-order -i comms.data 2>/dev/null | grep '^0x\|^[0-9]' | sed -n '1,12p;/ROUND/p'
