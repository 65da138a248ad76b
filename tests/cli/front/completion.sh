# what bash would offer, a line a question
cat >try.bash <<'EOF'
. "$DATA/../../completion/perf.bash"
compopt() { :; }
try()
{
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_perf
	echo "$*: ${COMPREPLY[*]}"
}
try perf rep
try perf --no
try perf evlist --f
try perf help evl
try perf --debug verbose record --call
try perf record -e page-faults,cpu-cl
try perf version ''
EOF
bash try.bash
