# buildid-cache says what is missing, or too much
export HOME=$PWD
for words in '' '/bin/sh' '-l more' '-a sh -l' '--target-ns -1 -a sh' '-r /bin/sh'; do
	perf buildid-cache $words || echo "buildid-cache $words: $?"
done
