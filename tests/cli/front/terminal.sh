# on a terminal the pager is started, and can be forbidden
script -qc true /dev/null >/dev/null 2>&1 || {
	echo "no pseudo-terminals here" >&2
	exit 77
}
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
on_terminal() { TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
on_terminal "PERF_PAGER='sed s/^/paged:/' perf -p version"
on_terminal "PERF_PAGER='sed s/^/paged:/' perf version"
on_terminal "PERF_PAGER='sed s/^/paged:/' perf -p --no-pager version"
