# programs that can be run as commands are listed, and suggested; files that cannot run are not
perf=$(command -v perf)
mkdir inside path
for f in inside/perf-hello inside/perf-a path/perf-hello path/perf-zebra; do
	printf '#!/bin/sh\n' >$f
	chmod +x $f
done
touch path/perf-unfit
mkdir path/perf-folder
ask() { PATH=$PWD/path "$perf" --exec-path=inside "$@" 2>&1 || true; }
ask help -a | sed -n '/^available/,$p'
ask hllo
ask zebr
ask rep
ask unfi
