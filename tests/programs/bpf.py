#!/usr/bin/env python3
"""bpf.py SECONDS [READY]: loads a BPF program with types and source lines, runs it for so long, and writes the file READY when it is loaded."""
import ctypes
import os
import platform
import struct
import sys
import time

NUMBER = {"x86_64": 321, "aarch64": 280, "ppc64le": 361, "s390x": 351, "riscv64": 280}[platform.machine()]
LOAD, RUN, BTF = 5, 10, 18
libc = ctypes.CDLL(None, use_errno=True)
kept = []


def at(data):
    kept.append(ctypes.create_string_buffer(data, len(data)))
    return ctypes.addressof(kept[-1])


def bpf(command, attr):
    room = ctypes.create_string_buffer(attr.ljust(144, b"\0"), 144)
    got = libc.syscall(NUMBER, command, room, 144)
    if got < 0:
        sys.exit("bpf(%d): %s" % (command, os.strerror(ctypes.get_errno())))
    return got


texts = bytearray(b"\0")


def text(s):
    texts.extend(s.encode() + b"\0")
    return len(texts) - len(s) - 1


def insn(code, dst=0, src=0, off=0, imm=0):
    return struct.pack("<BBhi", code, src << 4 | dst, off, imm)


LINES = {10: "int sum = 0;", 12: "sum = sum * 3 + i;", 11: "for (int i = 900; i; i--)", 14: "return sum;"}
code = [(insn(0xB7, 0), 10),  # r0 = 0
        (insn(0xB7, 1, imm=900), 11),  # r1 = 900
        (insn(0x27, 0, imm=3), 12),  # r0 *= 3
        (insn(0x0F, 0, 1), 12),  # r0 += r1
        (insn(0x17, 1, imm=1), 11),  # r1 -= 1
        (insn(0x55, 1, off=-4), 11),  # if r1 != 0 goto the third
        (insn(0x95), 14)]
types = struct.pack("<IIII", text("int"), 1 << 24, 4, 1 << 24 | 32)
types += struct.pack("<III", 0, 13 << 24, 1)  # a prototype that returns type 1
types += struct.pack("<III", text("summing"), 12 << 24 | 1, 2)
source = text("/src/summing.c")
where = {n: text(s) for n, s in LINES.items()}
head = struct.pack("<HBBIIIII", 0xEB9F, 1, 0, 24, 0, len(types), len(types), len(texts))
btf = head + types + bytes(texts)
types_fd = bpf(BTF, struct.pack("<QQIII", at(btf), 0, len(btf), 0, 0))
lines, last = b"", None
for i, (_, line) in enumerate(code):
    if line != last:
        lines += struct.pack("<IIII", i, source, where[line], line << 10 | 3)
    last = line
attr = struct.pack("<IIQQ", 1, len(code), at(b"".join(c for c, _ in code)), at(b"GPL\0"))  # a filter of sockets
attr += struct.pack("<IIQII16sII", 0, 0, 0, 0, 0, b"summing", 0, 0)
attr += struct.pack("<IIQIIQI", types_fd, 8, at(struct.pack("<II", 0, 3)), 1, 16, at(lines), len(lines) // 16)
fd = bpf(LOAD, attr)
if len(sys.argv) > 2:
    open(sys.argv[2], "w").close()
packet = at(bytes(64))
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    bpf(RUN, struct.pack("<IIIIQQIIIIQQ", fd, 0, 64, 0, packet, 0, 20000, 0, 0, 0, 0, 0))
