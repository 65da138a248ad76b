# --dsos keeps branches that begin or end there
"$DATA/make-foreign" branches b.data
perf report -i b.data -s dso_from,dso_to --dsos libfar.so 2>/dev/null | grep -v Tip
perf report -i b.data -s addr_from,addr_to --dsos libfar.so 2>/dev/null | grep -v Tip
