try() { perf inject "$@" && status=0 || status=$?; echo "$status: $*"; }
cp $DATA/chains.data in.data
try -i in.data -o in.data
cmp in.data $DATA/chains.data
ln in.data other.data
try -i in.data -o other.data
try -i none.data -o out.data
try -i in.data -o /dev/full
try -i in.data -o .
try -i in.data -o out.data --strip
try -i in.data -o out.data --guest-data=guest.data,1
try -i in.data -o out.data --guestmount=/mnt
try -i in.data -o out.data --vm-time-correlation
try -i in.data -o out.data --known-build-ids xyz
try -i in.data -o out.data -b -B
try -o out.data word
ls
