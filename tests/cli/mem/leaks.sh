# what is not freed, of a recording; symbols of its program are not here
perf mem leaks -i $DATA/leaks/leaks.data | sed '/^Not freed/,$!d'
perf mem leaks -i $DATA/leaks/leaks.data -x ';' | cut -d';' -f1-7
perf mem leaks -i $DATA/leaks/leaks.data -j -r 1 | sed 's/"stack":\[[^]]*\]/"stack":[...]/'
ask() { perf mem leaks "$@" 2>&1 || echo "$?"; }
ask -a
ask sleep 1
ask -p 0
ask -p x
ask -j -x ,
ask -i $DATA/chains.data
