# branches by the dso of each end, then by address; no call chains beside them
"$DATA/make-foreign" branches b.data
report() { perf report -i b.data "$@" 2>/dev/null | grep -v Tip; }
report -s addr_from,addr_to
report -s addr_to
report -b -g caller -s symbol_from
perf report -i "$DATA/blocks.data" --symfs "$DATA/root" -s addr_from,addr_to 2>/dev/null | grep -v Tip
