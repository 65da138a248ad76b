# what top cannot do is refused with a sentence, before anything is opened
ask() { perf top "$@" 2>&1 >/dev/null </dev/null || echo "$?"; }
ask --stitch-lbr
ask --branch-history
ask --prefix-strip 2
ask --call-graph fp,defer
ask --call-graph fp,nonsense
ask -d 0
ask --hierarchy --fields comm
ask --percentage some
ask --percent-limit much
ask a-word
ask -c 1000 -F 1000
