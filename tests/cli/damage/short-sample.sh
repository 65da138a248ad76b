# what report calls a damaged record, --stats does, too
cat >shorten.py <<'END'
import struct
data = bytearray(open(__import__("os").environ["DATA"] + "/chains.data", "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end, seen = at + size, 0
while at < end:
    kind, misc, n = struct.unpack_from("<IHH", data, at)
    if kind == 9:
        seen += 1
        if seen in (3, 5):
            # the number of words of its chain
            words = [i for i in range(at + 8, at + n - 8, 8)
                     if struct.unpack_from("<Q", data, i)[0] == (at + n - i - 8) // 8]
            struct.pack_into("<Q", data, words[0], 1 << 40 if seen == 3 else 0)
    at += n
open("short.data", "wb").write(data)
END
python3 shorten.py
ask() { "$@" 2>&1 >out || echo "$?"; }
ask perf report --stats -i short.data
sed -n '/SAMPLE events/p' out
ask perf report --stdio -s comm --no-children -g none --symfs $DATA/root -i short.data | sed 's/,.*//'
