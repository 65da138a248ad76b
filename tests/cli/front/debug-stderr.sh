# messages go to the pager between the output's lines, but not with --debug stderr
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
on_terminal() { TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
paged="PERF_PAGER='sed s/^/paged:/' perf"
on_terminal "$paged -p script -D -v -i $DATA/wide.data" | grep -ao '^.*shares (build-id'
on_terminal "$paged -p --debug stderr script -D -v -i $DATA/wide.data" | grep -ao '^.*shares (build-id'
