# -v says which build-ids the header holds
perf buildid-list -v -i $DATA/comms.data 2>&1 >/dev/null | grep '^build id'
