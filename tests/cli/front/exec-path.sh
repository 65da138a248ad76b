mkdir tools
printf '#!/bin/sh\necho "hello $*"\n' >tools/perf-hello
chmod +x tools/perf-hello
perf --exec-path=$PWD/tools hello a --b
PERF_EXEC_PATH=$PWD/tools perf hello
perf --exec-path=/some/where --exec-path
