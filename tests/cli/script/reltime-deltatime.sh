perf script --reltime --deltatime -i $DATA/comms.data
