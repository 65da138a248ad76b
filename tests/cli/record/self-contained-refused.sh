# what --self-contained cannot be added to
try() { perf record "$@" --self-contained -- true && status=0 || status=$?; echo "$status: $*"; }
try -o -
try -o out.data --call-graph dwarf --keep-stack
ls
