ask() { perf record "$@" 2>&1 && echo "no error"; echo "status $?"; }
ask --wall -e cycles true
ask --wall -c 100 true
ask --wall --all-user true
ask --wall=ftrace true
