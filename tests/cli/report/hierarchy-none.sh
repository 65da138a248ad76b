# --hierarchy of rows that are all filtered, and of no samples at all
perf report --stdio --hierarchy -g none --comms nobody --symfs $DATA/root -i $DATA/comms.data | sed 's/[ ]*$//; /Tip/d'
cp $DATA/comms.data none.data
perf report --stdio --hierarchy --time ,0.000001 -i none.data
