# a page of another package isn't shown, ours is, compressed too
command -v man >/dev/null || { echo "no man" >&2; exit 77; }
mkdir theirs ours
for cmd in record iotop; do
	printf '.TH "PERF\\-%s" "1" "11/14/2022" "perf" "perf Manual"\n.SH "NAME"\nperf \\- theirs\n' $cmd >theirs/perf-$cmd.1
done
gzip -c "$DATA/../../man/perf-version.1" >ours/perf-version.1.gz
ask() { "$@" 2>&1 || echo "$?"; }
# a copy, beside which no page lies
mkdir -p far/bin
cp "$(command -v perf)" far/bin
PERF_MAN_PATH=$PWD/theirs far/bin/perf help record | sed -n 2p
PERF_MAN_PATH=$PWD/theirs ask far/bin/perf help iotop
PERF_MAN_PATH=$PWD/ours far/bin/perf help version | grep -o 'perf-version - show.*'
PERF_MAN_PATH=$DATA/../../man far/bin/perf help perf | grep -o 'perf - .*'
