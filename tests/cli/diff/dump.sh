# the records of both, then how they compare
cd $DATA && perf diff -D group.data chains.data >$OLDPWD/dump.txt 2>/dev/null
cd $OLDPWD
grep -c PERF_RECORD_ dump.txt
grep -A2 -e 'ID_INDEX' -e 'PERF_RECORD_EVENT_UPDATE' -e 'PERF_RECORD_SAMPLE' dump.txt | head -24
sed -n '/^# Event/,$p' dump.txt
cd $DATA && perf diff -D chains.data pipe.data >/dev/null
