# a stream that was cut has a list that may lack something: told, and by the status
head -c 9000 $DATA/pipe.data >cut.data
ask() { "$@" 2>&1 >/dev/null || echo "$?"; }
ask perf evlist -i cut.data
ask perf buildid-list -i cut.data
ask perf buildid-list -H -i - <cut.data
ask perf evlist -i - <cut.data
# damage, too; a whole one is listed without a word
cp $DATA/pipe.data zero.data
dd if=/dev/zero of=zero.data bs=1 seek=9000 count=64 conv=notrunc 2>dd.log
ask perf evlist -i zero.data
ask perf buildid-list -H -i zero.data
ask perf evlist -i $DATA/pipe.data
ask perf buildid-list -H -i $DATA/pipe.data
