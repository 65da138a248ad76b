# What cannot be done says so and fails; nothing is run.
try()
{
	status=0
	perf stat "$@" touch ran >out 2>err || status=$?
	echo "$status $*: $(head -1 err)"
	[ ! -e ran ] || echo "it ran"
}
try --record-tpebs
try --tpebs-mode mean
try --log-fd 77
try -o /no/such/folder/file
try -p 4194303
try -t 4194303
