perf report --stdio --strict --symfs $DATA/root -g none -s comm -i $DATA/comms.data
