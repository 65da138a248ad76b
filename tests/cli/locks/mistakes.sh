ask() { perf locks "$@" 2>&1 | head -2; perf locks "$@" >/dev/null 2>&1 || echo "status $?"; }
ask -i $DATA/chains.data
ask -i nosuch.data
ask -i $DATA/chains.data true
ask -a -p 1
ask -j -x, -i $DATA/chains.data
ask --now
ask --now -p 1,2
ask --now -p 1 -j
ask --now -p 1 --order
ask --now -p 99999999
ask --preload
ask --preload -p 1
ask --preload --now -p 1
ask --preload -j -x, true
ask --preload -i $DATA/chains.data true
ask --preload nosuchprogram
ask nosuchprogram
