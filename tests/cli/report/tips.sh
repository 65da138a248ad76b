# the tip fits what was recorded and how it is shown
tip()
{
	echo "$*: $(perf report --stdio -f --symfs $DATA/root "$@" 2>/dev/null | grep '^# (Tip:' | sed "s,$DATA/,,")"
}
cd "$DATA"
tip -i comms.data
tip -i chains.data
tip -i chains.data --no-children
tip -i chains.data -q
tip -i blocks.data
tip -i blocks.data --total-cycles
tip -i switches.data
tip -i switches.data -s comm
tip -i switches.data -s comm --group
tip -i dwarf.data
tip -i dwarf.data -v
tip -i dwarf.data -s comm
