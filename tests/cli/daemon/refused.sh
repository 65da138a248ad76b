# nothing runs here: each says why in one line
ask() { perf daemon "$@" 2>&1 | head -2 | sed "s|$PWD|HERE|"; perf daemon "$@" >/dev/null 2>&1 || echo "status $?"; }
export PERF_CONFIG=/dev/null
ask
ask nothing
ask start more
ask stop --base nowhere
ask ping --config missing
mkdir -m 700 base
ask ping --base base
ask signal --base base --session x
mkdir -m 777 open; chmod 777 open
ask start --base open
printf '[daemon]\nbase=base\n[session-a]\nrun = -e "x\n' >open.conf
ask start -c open.conf
printf '[daemon]\nbase=base\n[session-a]\nrun = -e '"'x\n" >quote.conf
ask start -c quote.conf
ln -s victim base/lock
ask start --base base
ls base; test ! -e base/victim && echo "nothing planted was written to"
