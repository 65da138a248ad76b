"""Libraries that are cut short and made whole again in place while a profiler reads them."""
import glob
import os
import resource
import shutil
import signal
import time

from faults import PERF, PROGRAMS, fault


def cost(process):
    """-> (status, kilobytes at most); kept from Popen.wait"""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_maxrss


def record(t, name, words, seconds, term=False):
    """-> (status, seconds that ending took, peak of memory in bytes, what was said, the file)"""
    data, said = t.path(name + ".data"), t.path(name + ".said")
    with open(said, "wb") as err:
        p = t.start([PERF, "record", "-F", "499", "-e", "cpu-clock:u", "--call-graph", "dwarf", "-o", data, *words],
                    stdout=err, stderr=err, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    time.sleep(seconds)
    if term:
        p.send_signal(signal.SIGTERM)
    since = time.monotonic()
    status, peak = cost(p)
    with open(said, errors="replace") as f:
        text = f.read()
    return status, time.monotonic() - since, peak << 10, text, data


@fault("a hostile process cuts its libraries short", short=3, long=40)
def cuts(t):
    libraries = [f for f in glob.glob("/usr/lib/*/libc.so.6") + glob.glob("/usr/lib/*/libm.so.6")]
    if not libraries:
        t.skip("no C library in its usual place")
    for n in range(t.rounds):
        files = [shutil.copy(f, t.path(f"{n}-{os.path.basename(f)}")) for f in libraries]
        status, took, _, text, data = record(t, f"cut-{n}", [PROGRAMS + "/hostile", "2", "--cut", *files], 0)
        t.check(status == 0, f"status {status}: {text}")
        t.check("Captured and wrote" in text, text)
        status, text, err = t.run([PERF, "script", "-i", data, "-F", "ip,sym"])
        t.check(status == 0 and "called_from" in text, f"script: status {status}: {err}")
        t.saw("recorded to the end")
        for f in files:
            os.unlink(f)


@fault("a library is cut short under report and script", short=3, long=40)
def cuts_of_readers(t):
    library = next(iter(glob.glob("/usr/lib/*/libc.so.6")), None)
    if not library:
        t.skip("no C library in its usual place")
    file = shutil.copy(library, t.path("cut.so"))
    status, _, _, text, data = record(t, "read", ["--keep-stack", PROGRAMS + "/hostile", "0.5", file], 0)
    t.check(status == 0, text)
    with open(file, "rb") as f:
        whole = f.read()
    for n in range(t.rounds):
        p = [t.start([PERF, *words, "-i", data], stdout=open(t.path("out"), "wb"))
             for words in (["report", "--stdio"], ["script"])]
        with open(file, "r+b", buffering=0) as f:
            while any(q.poll() is None for q in p):
                f.truncate(t.random.randrange(len(whole)))
                time.sleep(t.random.uniform(0, 0.003))
                f.write(whole)
                f.seek(0)
                time.sleep(t.random.uniform(0, 0.003))
        for q in p:
            t.check(q.returncode in (0, 3), f"{q.args}: status {q.returncode}")
        t.saw("read to the end")
