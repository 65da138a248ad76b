# In a hierarchy no level is left out, and -w has no say; what stands above others is as wide as what it was made of.
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --hierarchy -c first -s comm,dso,sym | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --hierarchy -w 3,30 -s dso,comm | grep -v '^# (Tip:'
