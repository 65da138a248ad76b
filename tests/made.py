"""Recordings that are made, not recorded: a small writer of perf.data, for what this machine cannot record.

  r = Recording(); e = r.event("name", type, config, sample_type); r.mmap2(...); r.sample(e, time, ...); r.write(path)

Layouts: include/uapi/linux/perf_event.h, and tools/perf/Documentation/perf.data-file-format.txt.
"""
import struct

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD = (1 << n for n in range(9))
RAW, BRANCH_STACK, WEIGHT, DATA_SRC, IDENTIFIER = 1 << 10, 1 << 11, 1 << 14, 1 << 15, 1 << 16
PHYS_ADDR, DATA_PAGE_SIZE, CODE_PAGE_SIZE, WEIGHT_STRUCT = 1 << 19, 1 << 22, 1 << 23, 1 << 24
KERNEL, USER, GUEST_KERNEL, GUEST_USER = 1, 2, 4, 5
HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CMDLINE, EVENT_DESC = range(3, 13)
TRACING_DATA, NUMA_TOPOLOGY, MEM_TOPOLOGY = 1, 14, 22
FLAGS = 1 << 18 | 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23 | 1 << 20  # sample_id_all, mmap, comm, task, mmap2, ...


COMMON = """format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""


def format_text(name, number, fields, shown=""):
    """The text of a tracepoint's format. fields: (declaration, offset, size, signed)"""
    return f"name: {name}\nID: {number}\n{COMMON}" + "".join(
        f"\tfield:{field};\toffset:{at};\tsize:{size};\tsigned:{signed};\n" for field, at, size, signed in fields) \
        + f"\nprint fmt: {shown}\n"


def traced(number, tid, raw):
    """The bytes of a tracepoint: its common fields and its own."""
    return struct.pack("=HBBi", number, 0, 0, tid) + raw


def text(s):
    b = s.encode() + b"\0"
    return b + b"\0" * (-len(b) % 8)


def string(s):
    b = s.encode() + b"\0"
    b += b"\0" * (-len(b) % 64)
    return struct.pack("<I", len(b)) + b


class Recording:
    def __init__(self):
        self.events, self.data, self.features = [], b"", {}
        self.flags = 0  # more flags of attributes
        self.without = 0  # ... that are taken away

    def event(self, name, kind, config, sample_type, precise=0, period=1000):
        """The number of the event. All need TID, TIME and CPU, which side-band then has too."""
        self.events.append((name, kind, config, sample_type | IDENTIFIER | TID | TIME | CPU, precise, period))
        return len(self.events) - 1

    def record(self, kind, misc, body):
        self.data += struct.pack("<IHH", kind, misc, 8 + len(body)) + body

    def side(self, kind, misc, body, pid, tid, time, cpu):
        # the id of the first event, as its sample_type orders it
        self.record(kind, misc, body + struct.pack("<IIQIIQ", pid, tid, time, cpu, 0, 1))

    def comm(self, pid, tid, name, time=1, execs=True):
        self.side(3, 0x2000 if execs else 0, struct.pack("<II", pid, tid) + text(name), pid, tid, time, 0)

    def fork(self, pid, tid, ppid, ptid, time=1):
        self.side(7, 0, struct.pack("<IIIIQ", pid, ppid, tid, ptid, time), ppid, ptid, time, 0)

    def mmap2(self, pid, start, size, offset, name, prot=5, flags=2, ino=7, time=2, misc=USER):
        body = struct.pack("<IIQQQIIQQII", pid, pid, start, size, offset, 8 if ino else 0, 1 if ino else 0, ino, 0, prot, flags)
        self.side(10, misc, body + text(name), pid, pid, time, 0)

    def mmap(self, pid, start, size, offset, name, misc=KERNEL, time=0):
        self.side(1, misc, struct.pack("<IIQQQ", pid & 0xffffffff, 0, start, size, offset) + text(name), pid & 0xffffffff, 0,
                  time, 0)

    def sample(self, event, time, ip=0, pid=0, tid=0, cpu=0, addr=0, period=None, misc=USER, chain=(), raw=b"", weight=0,
               latencies=(0, 0), data_src=0, phys=0, page=0, branches=()):
        """branches: (from, to, flags | cycles << 4), the newest first. latencies: of the instruction and of the pipeline's stage, with WEIGHT_STRUCT."""
        kind, b = self.events[event][3], struct.pack("<Q", event + 1)
        if kind & IP:
            b += struct.pack("<Q", ip)
        b += struct.pack("<IIQ", pid, tid, time)
        if kind & ADDR:
            b += struct.pack("<Q", addr)
        b += struct.pack("<II", cpu, 0)
        if kind & PERIOD:
            b += struct.pack("<Q", self.events[event][5] if period is None else period)
        if kind & CALLCHAIN:
            b += struct.pack(f"<Q{len(chain)}Q", len(chain), *chain)
        if kind & RAW:
            raw += b"\0" * ((-len(raw) - 4) % 8)
            b += struct.pack("<I", len(raw)) + raw
        if kind & BRANCH_STACK:
            b += struct.pack("<Q", len(branches)) + b"".join(struct.pack("<QQQ", *one) for one in branches)
        if kind & WEIGHT:
            b += struct.pack("<Q", weight)
        if kind & WEIGHT_STRUCT:
            b += struct.pack("<IHH", weight, *latencies)
        if kind & DATA_SRC:
            b += struct.pack("<Q", data_src)
        if kind & PHYS_ADDR:
            b += struct.pack("<Q", phys)
        if kind & DATA_PAGE_SIZE:
            b += struct.pack("<Q", page)
        self.record(9, misc, b)

    def attr(self, event):
        name, kind, config, sample_type, precise, period = event
        flags = FLAGS | (precise & 3) << 15 if event is self.events[0] else 1 << 18 | 1 << 20 | (precise & 3) << 15
        any_branch = 1 << 3 if sample_type & BRANCH_STACK else 0
        return struct.pack("<IIQQQQQIIQQQQIiQIIQ", kind, 128, config, period, sample_type, 4, (flags | self.flags) & ~self.without, 0, 0, 0, 0,
                           any_branch, 0, 0, 0, 0, 0, 0, 0).ljust(128, b"\0")

    def machine(self, arch="x86_64", cpus=4, nodes=(), cpuid="GenuineIntel,6,85,4", memory=(), host="made", release="6.1.0"):
        """nodes: (number, cpus) each; memory: for each node the numbers of its blocks of 128 MB."""
        self.features.update({HOSTNAME: string(host), OSRELEASE: string(release), ARCH: string(arch), VERSION: string("6.1"),
                              CPUID: string(cpuid), NRCPUS: struct.pack("<II", cpus, cpus)})
        if nodes:
            self.features[NUMA_TOPOLOGY] = struct.pack("<I", len(nodes)) + b"".join(
                struct.pack("<IQQ", n, 1 << 20, 1 << 19) + string(which) for n, which in nodes)
        if memory:
            rows = b""
            for n, blocks in enumerate(memory):
                bits = [0] * (max(blocks, default=0) // 64 + 1)
                for block in blocks:
                    bits[block // 64] |= 1 << block % 64
                rows += struct.pack("<QQQ", n, len(bits) * 64, len(bits) * 64) + struct.pack(f"<{len(bits)}Q", *bits)
            self.features[MEM_TOPOLOGY] = struct.pack("<QQQ", 1, 128 << 20, len(memory)) + rows

    def tracing(self, formats, arch_bits=64):
        """formats: {system: [text of a format file]}"""
        b = b"\x17\x08\x44tracing0.6\0" + bytes([0, arch_bits // 8]) + struct.pack("<I", 4096)
        page = b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
        b += b"header_page\0" + struct.pack("<Q", len(page)) + page
        event = b"# compressed entry header\n"
        b += b"header_event\0" + struct.pack("<Q", len(event)) + event
        b += struct.pack("<II", 0, len(formats))
        for system, texts in formats.items():
            b += system.encode() + b"\0" + struct.pack("<I", len(texts))
            for one in texts:
                b += struct.pack("<Q", len(one)) + one.encode()
        b += struct.pack("<I", 0) + struct.pack("<I", 0) + struct.pack("<Q", 0)
        self.features[TRACING_DATA] = b

    def write(self, path):
        entry = 128 + 16
        ids_at = 104
        attrs_at = ids_at + 8 * len(self.events)
        data_at = attrs_at + entry * len(self.events)
        desc = struct.pack("<II", len(self.events), 128)
        for i, e in enumerate(self.events):
            desc += self.attr(e) + struct.pack("<I", 1) + string(e[0]) + struct.pack("<Q", i + 1)
        features = dict(self.features)
        features[EVENT_DESC] = desc
        bits = [0] * 4
        for bit in features:
            bits[bit // 64] |= 1 << bit % 64
        at = data_at + len(self.data) + 16 * len(features)
        table, bodies = b"", b""
        for bit in sorted(features):
            table += struct.pack("<QQ", at + len(bodies), len(features[bit]))
            bodies += features[bit]
        head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, entry, attrs_at, entry * len(self.events), data_at, len(self.data), 0, 0)
        with open(path, "wb") as f:
            f.write(head + struct.pack("<4Q", *bits))
            f.write(b"".join(struct.pack("<Q", i + 1) for i in range(len(self.events))))
            for i, e in enumerate(self.events):
                f.write(self.attr(e) + struct.pack("<QQ", ids_at + 8 * i, 8))
            f.write(self.data + table + bodies)


def elf(path, machine, bits, big, flags, base, code, symbols):
    """A program of one executable segment at base, whose .text, 128 bytes behind, is code. symbols: (name, offset in code, size, info)."""
    order = ">" if big else "<"
    word = "Q" if bits == 64 else "I"
    ehdr, phdr, shdr = (64, 56, 64) if bits == 64 else (52, 32, 40)
    names, table = b"\0", b"\0" * (24 if bits == 64 else 16)
    for name, value, size, info in symbols:
        value += base + 128
        table += struct.pack(order + "IBBHQQ", len(names), info, 0, 1, value, size) if bits == 64 else \
            struct.pack(order + "IIIBBH", len(names), value, size, info, 0, 1)
        names += name.encode() + b"\0"
    titles = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    ends = [128]
    for part in code, table, names, titles:
        ends.append(ends[-1] + len(part))
    head = b"\x7fELF" + bytes((bits // 32, 2 if big else 1, 1)) + bytes(9)
    head += struct.pack(order + "HHI" + 3 * word + "IHHHHHH", 2, machine, 1, base + 128, ehdr, ends[4], flags, ehdr, phdr, 1, shdr, 5, 4)
    sizes = (ends[1],) * 2
    head += struct.pack(order + "IIQQQQQQ", 1, 5, 0, base, base, *sizes, 4096) if bits == 64 else \
        struct.pack(order + "8I", 1, 0, base, base, *sizes, 5, 4096)
    sections = bytes(shdr)
    for i, (title, kind, attributes, link, entry) in enumerate(((1, 1, 6, 0, 0), (7, 2, 0, 3, len(table) // (len(symbols) + 1)), (15, 3, 0, 0, 0),
                                                               (23, 3, 0, 0, 0))):
        sections += struct.pack(order + "II" + 4 * word + "II" + 2 * word, title, kind, attributes, base + 128 if i == 0 else 0, ends[i],
                                ends[i + 1] - ends[i], link, 1 if kind == 2 else 0, 4, entry)
    with open(path, "wb") as f:
        f.write(head.ljust(128, b"\0") + code + table + names + titles + sections)
