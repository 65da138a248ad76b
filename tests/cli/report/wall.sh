perf report -f --wall -g none -i $DATA/side-band.data 2>/dev/null
perf report -f --wall -g none -s state -F +period -q -t, -i $DATA/side-band.data 2>/dev/null
