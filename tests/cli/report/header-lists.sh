# --header stands before every list, and --header-only leaves them out.
for list in --stats --tasks --mmaps; do
	perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --header $list | sed -n '/^# arch/p; /^# ====/p; /^[^#]/p' | head -8
done
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --header-only -D | sed -n '/^[^#]/p'
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --header-only --stats | sed -n '/^[^#]/p'
