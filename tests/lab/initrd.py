"""Initial RAM disks: cpio archives ("newc"), uncompressed, since unpacking under emulation is slow.

Archives follow one another in an initrd, so what never changes is written once.
"""
import os
import stat
import struct

LIBRARY_FOLDERS = ("lib/{m}", "usr/lib/{m}", "usr/lib", "lib", "lib64")
MACHINES = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu", "ppc64el": "powerpc64le-linux-gnu"}


class Cpio:
    def __init__(self, path):
        self.file = open(path, "wb")
        self.known = set()
        self.inode = 0

    def __enter__(self):
        return self

    def __exit__(self, *how):
        self.entry("TRAILER!!!", 0, b"")
        self.file.close()

    def entry(self, name, mode, data, device=(0, 0)):
        if name in self.known:
            return
        self.known.add(name)
        self.inode += 1
        raw = name.encode() + b"\0"
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(raw), 0)
        head = b"070701" + b"".join(b"%08x" % f for f in fields) + raw
        self.file.write(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))

    def folder(self, name):
        parts = name.strip("/").split("/")
        for n in range(1, len(parts) + 1):
            self.entry("/".join(parts[:n]), stat.S_IFDIR | 0o755, b"")

    def put(self, name, path, mode=None):
        """The file at path; links are followed."""
        name = name.strip("/")
        if "/" in name:
            self.folder(os.path.dirname(name))
        with open(path, "rb") as f:
            self.entry(name, stat.S_IFREG | (mode or (os.stat(path).st_mode & 0o777)), f.read())

    def text(self, name, text, mode=0o644):
        name = name.strip("/")
        if "/" in name:
            self.folder(os.path.dirname(name))
        self.entry(name, stat.S_IFREG | mode, text.encode())

    def link(self, name, target):
        name = name.strip("/")
        self.folder(os.path.dirname(name))
        self.entry(name, stat.S_IFLNK | 0o777, target.encode())

    def program(self, name, path, root, arch):
        """A program and every library and interpreter that it asks for, as unpacked packages in root have them."""
        self.put(name, path, 0o755)
        todo = list(elf_wants(path))
        while todo:
            want = todo.pop()
            if want.startswith("/"):  # the interpreter
                inside, found = want, find_library(root, arch, os.path.basename(want))
            else:
                found = find_library(root, arch, want)
                inside = f"/lib/{MACHINES[arch]}/{want}"
            if not found:
                raise FileNotFoundError(f"{name} needs {want}, which no package of the lab has")
            if inside.strip("/") not in self.known:
                self.put(inside, found, 0o755)
                todo += elf_wants(found)


def find_library(root, arch, name):
    for folder in LIBRARY_FOLDERS:
        path = os.path.join(root, folder.format(m=MACHINES[arch]), name)
        if os.path.exists(path):
            return os.path.realpath(path) if os.path.realpath(path).startswith(os.path.realpath(root)) else path
    return None


def elf_wants(path):
    """Interpreter and needed libraries of a little-endian 64-bit ELF file."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:6] != b"\x7fELF\x02\x01":
        return []
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    loads, dynamic, wants = [], None, []
    for n in range(count):
        kind, _, at, address, _, length, _, _ = struct.unpack_from("<IIQQQQQQ", data, offset + n * size)
        if kind == 1:
            loads.append((address, at, length))
        elif kind == 2:
            dynamic = (at, length)
        elif kind == 3:
            wants.append(data[at:at + length].rstrip(b"\0").decode())
    if not dynamic:
        return wants
    tags = [struct.unpack_from("<qQ", data, dynamic[0] + n) for n in range(0, dynamic[1], 16)]
    table = next((v for t, v in tags if t == 5), None)
    for address, at, length in loads:
        if table is not None and address <= table < address + length:
            start = at + table - address
            for tag, value in tags:
                if tag == 1:
                    wants.append(data[start + value:data.index(b"\0", start + value)].decode())
            break
    return wants
