perf kwork timehist -f -i $DATA/kwork.data -C 0
perf kwork timehist -f -i $DATA/kwork.data -n RCU --time 1.001, 
