# What cannot be converted, and how.
try() { perf data "$@" 2>&1 || echo "status $?"; }
try convert
try convert --to-json a --to-ctf b
try convert --to-json a --to-sqlite b
try convert --to-json a --all -i $DATA/chains.data
try convert --to-json a --tod -i $DATA/chains.data
try convert --to-sqlite a --all -i $DATA/chains.data
try convert --to-json a -i none.data
try convert --to-json none/a -i $DATA/chains.data
touch there
try convert --to-json there -i $DATA/chains.data
mkdir trace && touch trace/notes
try convert --to-ctf trace -i $DATA/chains.data
ls
