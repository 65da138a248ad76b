"""ELF files made for a purpose, mostly a bad one."""
import os
import struct
import zlib

NULL, PROGBITS, STRTAB, NOBITS, NOTE = 0, 1, 3, 8, 7
LOAD, PT_NOTE = 1, 4
ALLOC, COMPRESSED = 2, 0x800


def uleb(n):
    out = b""
    while True:
        out += bytes([n & 0x7f | (0x80 if n > 0x7f else 0)])
        n >>= 7
        if not n:
            return out


def entry(pointer, body, wide=False):
    """One of .eh_frame or .debug_frame."""
    body = struct.pack("<Q" if wide else "<I", pointer) + body
    body += bytes(-len(body) % 4)
    return (struct.pack("<IQ", 0xffffffff, len(body)) if wide else struct.pack("<I", len(body))) + body


def cie(letters=b"", program=b"\x0c\x07\x08\x90\x01", debug=False):
    """Of x86-64: the frame is at rsp + 8, the return address right below it."""
    body = b"\x01" + letters + b"\0\x01\x78\x10"
    if letters[:1] == b"z":
        body += b"\0"
    return entry(0xffffffff if debug else 0, body + program)


def fde(at, start, size, program=b"", sized=False, debug=False):
    """`at`: where in the section it will stand; its CIE is the first entry."""
    body = struct.pack("<QQ", start, size) + (b"\0" if sized else b"") + program
    return entry(0 if debug else at + 4, body)


def frames(n, letters=b"", program=b"", debug=False):
    """A section with a CIE and n functions of 16 bytes from address 0 on."""
    out = [cie(letters, debug=debug)]
    at = len(out[0])
    for i in range(n):
        out.append(fde(at, 16 * i, 16, program, letters[:1] == b"z", debug))
        at += len(out[-1])
    return b"".join(out)


def packed(content):
    """The content of a compressed section."""
    return struct.pack("<IIQQ", 1, 0, len(content), 8) + zlib.compress(content, 1)


def write(path, sections=(), segments=None, size=0, shnum=None, first=None, machine=62, shdrs=None):
    """sections: (name, type, flags, bytes[, size]); segments: (type, flags, offset, vaddr, size). The first segment,
    unless some are given, maps the whole file. `size`: what the file is extended to; `first`: fields of section 0."""
    names, table, data, at = b"\0", [], b"", 64 + 56 * 16
    for name, kind, flags, content, *rest in [*sections, (b".shstrtab", STRTAB, 0, None)]:
        table.append([len(names), kind, flags, 0, at + len(data), 0, 0, 0, 1, 0])
        names += name + b"\0"
        content = names if content is None else content
        table[-1][3] = table[-1][4] if flags & ALLOC else 0
        table[-1][5] = rest[0] if rest else len(content)
        data += content + bytes(-len(content) % 16)
    shoff = at + len(data)
    headers = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, *(first or (0, 0)), 0, 0, 0)
    headers += b"".join(struct.pack("<IIQQQQIIQQ", *row) for row in table)
    headers += (shdrs or (lambda table: b""))(table)
    whole = max(size, shoff + len(headers))
    segments = segments or [(LOAD, 5, 0, 0, whole)]
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    head = ident + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, shoff, 0, 64, 56, len(segments), 64,
                               len(headers) // 64 if shnum is None else shnum, len(table))
    head += b"".join(struct.pack("<IIQQQQQQ", t, f, o, v, v, n, n, 4096) for t, f, o, v, n in segments)
    with open(path, "wb") as f:
        f.write(head.ljust(at, b"\0") + data + headers)
        if size:
            f.truncate(whole)
    os.chmod(path, 0o755)
    return path
