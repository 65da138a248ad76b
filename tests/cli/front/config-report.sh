# variables are the defaults of options; options win
cat >config <<'EOF'
[report]
	percent-limit = 101
	sort_order = dso
	children = perhaps
EOF
export PERF_CONFIG=$PWD/config
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -s comm --percent-limit 30 | grep -v '^# (Tip:'
