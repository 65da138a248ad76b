# a map of all addresses, code in memory files, a pipe without data sources
"$DATA/make-foreign" huge_map huge.data
"$DATA/make-foreign" memfd memfd.data
report() { perf report "$@" 2>/dev/null | grep -v Tip; }
report -i huge.data -s dso,dso_size
report -i huge.data --mem-mode
report -i memfd.data -s srcfile
report -i "$DATA/pipe.data" --mem-mode -s mem,local_weight
