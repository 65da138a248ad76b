# the page, through man where there is one
command -v man >/dev/null || { echo "no man" >&2; exit 77; }
PERF_MAN_PATH=$DATA/../../man perf help version | grep -o 'perf-version - show.*'
PERF_MAN_PATH=$DATA/../../man perf version --help | grep -c 'build-options'
