"""Rights that are missing: the table of doc/privileges.md is what this machine says."""
import glob
import os
import shutil
import subprocess
import sys

from faults import PERF, PROGRAMS, TESTS, fault


@fault("rights, one after the other")
def rights(t):
    t.root()
    try:
        with open("/proc/sys/kernel/kptr_restrict") as f:
            if f.read().strip() != "0":
                t.skip("the table is made with kptr_restrict 0")
    except OSError as why:
        t.skip(str(why))
    with open(os.path.dirname(TESTS) + "/doc/privileges.md") as f:
        documented = f.read().split("\n")
    status, text, err = t.run([TESTS + "/faults/privileges"],
                              env=dict(t.env, PERF=PERF, PROGRAMS=PROGRAMS, TMPDIR="/tmp"))
    rows = [line for line in text.split("\n") if line.startswith("|")]
    t.check(status == 0 and len(rows) >= 10, f"status {status}: {text} {err}")
    for row in rows:
        name = row.split("|")[1].strip()
        if "perf_event_paranoid" in name and not any(name in line for line in documented):
            continue  # a value that some other system has
        t.check(row in documented, f"not in doc/privileges.md:\n{row}")
        t.saw("as documented")


@fault("profile of another user")
def ownership(t):
    t.root()
    t.run([PERF, "record", "-o", "own.data", "-e", "cpu-clock:u", "true"])
    os.chown(t.path("own.data"), 65534, 65534)
    os.chmod(t.path("own.data"), 0o644)
    for words in (["report", "--stdio"], ["script"], ["evlist"], ["buildid-list"]):
        status, _, err = t.run([PERF, *words, "-i", "own.data"])
        t.check(status not in (0, None) and "not owned by current user or root" in err, f"{words}: {status}: {err}")
        status, _, err = t.run([PERF, *words, "-f", "-i", "own.data"])
        t.check(status == 0, f"{words} -f: {status}: {err}")
        t.saw("refused, read with -f")
    link = t.path("link")
    os.symlink("own.data", link)
    status, _, err = t.run([PERF, "script", "-i", link])
    t.check(status and "not owned" in err, f"through a link: {status}: {err}")
    t.saw("refused, read with -f")


@fault("directory recording with another user's part")
def foreign_part(t):
    """Each of its files is checked, not only the first."""
    t.root()
    t.run([PERF, "record", "-o", "own.data", "-e", "cpu-clock:u", "true"])
    for part in ("data", "data.0", "data.1"):
        os.mkdir(t.path("dir.data"))
        for name in ("data", "data.0", "data.1"):
            with open(t.path("own.data"), "rb") as f, open(t.path("dir.data/" + name), "wb") as to:
                to.write(f.read() if name == "data" else b"")
        os.chown(t.path("dir.data/" + part), 65534, 65534)
        status, _, err = t.run([PERF, "evlist", "-i", "dir.data"])
        t.check(status not in (0, None) and f"dir.data/{part} not owned" in err, f"{part}: {status}: {err}")
        status, _, err = t.run([PERF, "evlist", "-f", "-i", "dir.data"])
        t.check(status == 0, f"{part} -f: {status}: {err}")
        t.saw("refused, read with -f")
        shutil.rmtree(t.path("dir.data"))


@fault("recording that changes its owner while it is opened", short=100, long=1000)
def exchanged(t):
    """Two files change places all the time: the one that is checked must be the one that is read."""
    t.root()
    t.run([PERF, "record", "-o", "a.data", "-e", "cpu-clock:u", "true"])
    t.run([PERF, "record", "-o", "b.data", "-e", "page-faults:u", "true"])
    os.chown(t.path("b.data"), 65534, 65534)
    exchange = subprocess.Popen([sys.executable, "-c", """if True:
        import ctypes
        libc = ctypes.CDLL(None)
        a, b = b"a.data", b"b.data"
        while True:
            libc.syscall(316, -100, a, -100, b, 2)"""], cwd=t.box) if os.uname().machine == "x86_64" else t.skip("x86-64 only")
    try:
        for _ in range(t.rounds):
            status, out, err = t.run([PERF, "evlist", "-i", "a.data"])
            t.check("page-faults" not in out, f"read another user's: {out}")
            t.check(status == 0 or "not owned" in err, f"{status}: {err}")
            t.saw("refused" if status else "the own one read")
    finally:
        exchange.kill()
        exchange.wait()


@fault("links in place of files that are made")
def links(t):
    """What is made in a directory that others can write to: perf.data and what it replaces. The kernel's
    protected_symlinks is one guard; the other is that nothing of a victim's is written through a link of old."""
    t.root()
    victim = t.path("victim")

    def whole():
        with open(victim) as f:
            return f.read() == "precious\n"

    with open(victim, "w") as f:
        f.write("precious\n")
    # PATH is a link: it is moved aside, the file is made anew
    os.symlink(victim, t.path("a.data"))
    status, _, err = t.run([PERF, "record", "-q", "-o", "a.data", "-e", "cpu-clock:u", "true"])
    t.check(status == 0 and whole() and not os.path.islink(t.path("a.data")), f"written through a.data: {status}: {err}")
    t.saw("not followed")
    # so it is with names that change at the end, whatever the link leads to, and through each of them
    for n, mode in enumerate((["--switch-output"], ["--switch-output=1s"], ["--timestamp-filename"], ["--kcore"])):
        for target in (victim, t.path("nothing"), t.path("a.data.old")):
            path = t.path(f"m{n}.data")
            if os.path.lexists(path):
                os.unlink(path)
            os.symlink(target, path)
            words = [PERF, "record", "-q", "-o", path, *mode, "-e", "cpu-clock:u", "true"]
            status, _, err = t.run(words)
            if mode == ["--kcore"] and "not readable" in err:
                continue
            t.check(status == 0 and whole() and not os.path.exists(t.path("nothing")),
                    f"{mode}: written through a link: {status}: {err}")
            t.saw("not followed")
    # a file that another user made, or may write to, does not become the recording
    for mode in ([], ["--switch-output"], ["--timestamp-filename"]):
        for owner in (0, 65534):
            path = t.path("planted.data")
            with open(path, "w+") as planted:
                os.fchown(planted.fileno(), owner, owner)
                os.fchmod(planted.fileno(), 0o666)
                status, _, err = t.run([PERF, "record", "-q", "-o", path, *mode, "-e", "cpu-clock:u", "true"])
                t.check(status == 0 and not os.fstat(planted.fileno()).st_size, f"{mode}: written to it: {status}: {err}")
            made = glob.glob(path + "*")
            t.check(made and all(os.stat(p).st_uid == 0 and not os.stat(p).st_mode & 0o077 for p in made), f"{mode}: {made}")
            for p in made:
                os.unlink(p)
            t.saw("not followed")
    # PATH.old is a link: replaced, not written to
    os.symlink(victim, t.path("b.data.old"))
    for _ in range(2):
        t.run([PERF, "record", "-q", "-o", "b.data", "-e", "cpu-clock:u", "true"])
    t.check(whole() and not os.path.islink(t.path("b.data.old")), "written through b.data.old")
    t.saw("not followed")
    # the build-id store: what stands in the way is no file of ours
    store = t.path(".debug")
    status, _, err = t.run([PERF, "buildid-cache", "-a", PROGRAMS + "/shares"])
    t.check(status == 0, f"buildid-cache: {err}")
    made = subprocess.run(["find", store, "-name", "elf"], stdout=subprocess.PIPE).stdout.decode().split()
    t.check(made, "nothing in the store")
    os.unlink(made[0])
    os.symlink(victim, made[0])
    t.run([PERF, "buildid-cache", "-u", PROGRAMS + "/shares"])
    t.check(whole(), "written through a link in the build-id store")
    t.saw("not followed")
