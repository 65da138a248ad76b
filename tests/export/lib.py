"""What the tests of exported profiles share: a recording, its stacks as `report --folded` tells them, and the data of a
page."""
import base64
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

PERF, DATA = os.environ["PERF"], os.environ["DATA"]
RECORDING = DATA + "/chains.data"
OPTIONS = ["-f", "--symfs", DATA + "/root", "-i", RECORDING]


def skip(why):
    print(why)
    sys.exit(77)


def need(condition, text):
    if not condition:
        print(text)
        sys.exit(1)


def same(got, wanted, what):
    if got != wanted:
        print(f"{what}:\n  got    {got!r}\n  wanted {wanted!r}")
        sys.exit(1)


def report(*words, options=OPTIONS):
    """-> what report prints on standard output"""
    done = subprocess.run([PERF, "report", *options, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    need(done.returncode == 0, f"report {' '.join(words)}: status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def annotated():
    """-> whether there is something that disassembles here"""
    return not subprocess.run([PERF, "annotate", "--stdio", *OPTIONS], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode


def folded(how="period", options=OPTIONS):
    """-> {(comm, function, ..., function): weight}; functions without a name are "[unknown]" """
    stacks = {}
    for line in report("--folded=" + how, options=options).decode().splitlines():
        stack, weight = line.rsplit(" ", 1)
        words = tuple("[unknown]" if w.startswith("[") else w for w in stack.split(";"))
        stacks[words] = stacks.get(words, 0) + int(weight)
    need(stacks, "the recording has no stacks")
    return stacks


INLINED = """
volatile unsigned long sink;
static inline __attribute__((always_inline)) void inner(unsigned long n) { while (n--) sink += n * 3; }
static inline __attribute__((always_inline)) void middle(unsigned long n) { inner(n); sink ^= n; inner(n / 2); }
__attribute__((noinline)) void outer(unsigned long n) { middle(n); sink += 7; }
int main(void) { outer(60000000); return 0; }
"""
INLINES = ("outer", "middle", "inner")  # each one is in the one before


def record_inlined(folder):
    """-> options to report a recording made here and now of a program with inlined functions, unwound by its debug
    information; None: this host cannot make one"""
    program, path = folder + "/inlined", folder + "/inlined.data"
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return None
    with open(program + ".c", "w", encoding="utf8") as f:
        f.write(INLINED)
    subprocess.run([compiler, "-g", "-O2", "-o", program, program + ".c"], check=True)
    done = subprocess.run([PERF, "record", "-q", "-F", "999", "-e", "cpu-clock:u", "--call-graph", "dwarf", "-o", path, program],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    return None if done.returncode else ["-f", "-i", path]


def plain(name):
    """A function's name as folded stacks have it: without arguments."""
    return "[unknown]" if name.startswith("[") else name.split("(")[0]


def exported(option, *words, options=OPTIONS):
    """-> the bytes of the file"""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/out"
        report(f"--{option}", path, *words, options=options)
        return open(path, "rb").read()


def carried(page):
    """-> the head and the columns {name: numbers} that a page carries: page_data.h"""
    size, text = re.search(r'<script id="data" type="text/plain" data-size="(\d+)">(.*?)</script>', page.decode()).groups()
    data = zlib.decompress(base64.b64decode(text), -15)
    same(len(data), int(size), "bytes that the data expands to")
    head_size, = struct.unpack_from("<I", data)
    head, at, columns = json.loads(data[4:4 + head_size]), 4 + head_size, {}
    for column in head["columns"]:
        values = columns[column["name"]] = [column["same"]] * column["n"] if "same" in column else []
        for _ in range(column["n"] - len(values)):
            value = shift = 0
            while data[at] > 127:
                value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
            values.append(value | data[at] << shift)
            at += 1
    same(at, len(data), "bytes of all columns")
    return head, columns


def message_of(lines):
    """protoc's text of one message -> {field: [values]}"""
    message = {}
    for line in lines:
        if line.endswith("{"):
            message.setdefault(line[:-2], []).append(message_of(lines))
        elif line == "}":
            break
        else:
            name, value = line.split(": ", 1)
            message.setdefault(name, []).append(value[1:-1] if value[0] == '"' else int(value))
    return message


def packets_of(*words, **how):
    """-> the packets of --perfetto, as protoc reads them by the published numbers of fields"""
    here = os.path.dirname(os.path.abspath(__file__))
    text = subprocess.run(["protoc", f"-I{here}", "--decode=Trace", here + "/perfetto.proto"], stdout=subprocess.PIPE,
                          input=exported("perfetto", *words, **how), check=True).stdout.decode()
    need(not re.search(r"^ *[0-9]+[:{ ]", text, re.M), "a field has no name")
    return message_of(iter(line.strip() for line in text.splitlines()))["packet"]


def one(message, name):
    """-> the only value of a field"""
    same(len(message.get(name, [])), 1, "values of " + name)
    return message[name][0]
