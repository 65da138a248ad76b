# a kernel that is called by the file of its symbols has a short name in tables, and its own elsewhere
"$DATA/make-foreign" vmlinux v.data
report() { perf report -i v.data "$@" 2>/dev/null | grep -v Tip; }
report -s dso,sym
report --dsos '[kernel.vmlinux]' -s comm,dso
report --dsos /usr/lib/debug/lib/modules/5.3.0/vmlinux -s dso
report -v -s dso
perf script -i v.data -F ip,sym,dso 2>/dev/null
perf buildid-list -i v.data
