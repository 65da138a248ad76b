# the text of perf 6.1, by objdump: which columns there are, and what bad questions get
case $(uname -m) in x86_64) ;; *) echo "objdump here may not know x86-64" >&2; exit 77 ;; esac
command -v objdump >/dev/null || { echo "no objdump" >&2; exit 77; }
cd $DATA
ask() { echo "== $*"; perf annotate --stdio --objdump=objdump -f --symfs root "$@" 2>&1; }
ask -i chains.data
ask -i chains.data -n --asm-raw -P
ask -i chains.data --show-total-period --percent-limit 101
ask -i chains.data -s second --stdio-color -l
