# Archives and stores that lead out of the store are refused, and what they lead to stays.
mkdir home victim
echo precious >victim/file
id=abcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd
python3 - <<END
import tarfile
id = "$id"
def made(name, *members):
    with tarfile.open(name, "w:bz2") as tar:
        for path, kind, to in members:
            info = tarfile.TarInfo(path)
            info.type, info.linkname = kind, to
            tar.addfile(info)
made("name.tar.bz2", (".build-id/vi/ctim", tarfile.SYMTYPE, "../../../../victim"))
made("up.tar.bz2", (f".build-id/ab/{id[2:]}", tarfile.SYMTYPE, f"../../../../victim/{id}"))
made("elsewhere.tar.bz2", ("usr", tarfile.SYMTYPE, "/"), ("../a", tarfile.REGTYPE, ""), ("/b", tarfile.REGTYPE, ""),
     ("c", tarfile.CHRTYPE, ""), ("d", tarfile.LNKTYPE, "../../victim/file"), ("e\n\x1b[31m", tarfile.FIFOTYPE, ""))
made("empty.tar.bz2", ("f", tarfile.REGTYPE, ""))
END
export HOME="$PWD/home"
for i in name up elsewhere empty; do
	perf archive --unpack $i.tar.bz2 || echo "$i: status $?"
done
find home victim
# what tar makes of it, as the hint of `perf archive` says, is not followed either
mkdir -p home/.debug/.build-id/vi home/.debug/.build-id/ab
ln -s ../../../../victim home/.debug/.build-id/vi/ctim
ln -s ../../../../victim/$id home/.debug/.build-id/ab/${id#ab}
mkdir victim/$id
cd home
perf --buildid-dir .debug buildid-cache -l || echo "-l: status $?"
perf --buildid-dir .debug buildid-cache -p /victim || echo "-p: status $?"
perf --buildid-dir .debug buildid-cache -P || echo "-P: status $?"
cd ..
find victim
