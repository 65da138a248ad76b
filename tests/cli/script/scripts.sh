perf script -s python:x.py -i $DATA/comms.data
