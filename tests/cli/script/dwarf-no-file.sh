# Copies of stacks of a program that isn't there: where it was interrupted is known; but where no file of the process could be
# opened there is no chain, as with perf.
perf script -i $DATA/dwarf.data -F tid,ip,sym,dso 2>/dev/null | head -6
perf script --symfs /nonexistent -i $DATA/dwarf.data -F tid,ip,sym,dso 2>/dev/null | head -6
