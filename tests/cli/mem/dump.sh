perf mem -p report -D --data-page-size -f -i $DATA/memory.data | head -40
