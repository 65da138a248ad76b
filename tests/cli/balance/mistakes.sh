ask() { perf balance "$@" 2>&1 | head -2; perf balance "$@" >/dev/null 2>&1 || echo "status $?"; }
ask -i $DATA/chains.data
ask -i nosuch.data
ask -i $DATA/side-band.data true
ask -a -p 1
ask -j -x, -i $DATA/side-band.data
ask --less work=0 true
ask --less work=x true
ask --less =10 true
ask -f --less work -i $DATA/side-band.data
perf balance -f -i $DATA/side-band.data
perf balance -f -i $DATA/side-band.data -x, -r 2
perf balance -f -i $DATA/side-band.data -j -r 2
