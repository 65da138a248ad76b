# a pager that cannot be started is said, and the output comes without it
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
on_terminal() { TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
on_terminal "PERF_PAGER=nonexistent-pager perf -p version"
on_terminal "PERF_PAGER='A=1 /nonexistent/pager -x' perf -p version"
on_terminal "PERF_PAGER='A=1 exec sed s/^/paged:/' perf -p version"
