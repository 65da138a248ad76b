"""Build-id stores and archives of them that were made to write, read or remove elsewhere."""
import io
import os
import shutil
import tarfile

from faults import PERF, PROGRAMS, fault

ID = "ab" + "cd" * 19
LINK = f".build-id/ab/{ID[2:]}"


def member(name, kind=tarfile.REGTYPE, to="", data=b"x\n"):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, to, 0o644
    info.size = len(data) if kind == tarfile.REGTYPE else 0
    return info, io.BytesIO(data) if info.size else None


def folder(name):
    info, _ = member(name, tarfile.DIRTYPE)
    info.mode = 0o755
    return info, None


def link(name, to):
    return member(name, tarfile.SYMTYPE, to)


def archive(path, members):
    with tarfile.open(path, "w:bz2") as tar:
        for info, data in members:
            tar.addfile(info, data)


# What an archive must not hold. {out} is the victim's folder, as an absolute path.
ATTACKS = {
    "link to a folder outside": [link(".build-id/vi/ctim", "../../../../victim")],
    "link with a build-id to a folder outside": [link(LINK, f"../../../../{ID}")],
    "absolute link": [link(LINK, "{out}")],
    "link through a link": [link("usr", "{out}"), link(LINK, f"../../usr/{ID}")],
    "link through a link upwards": [link("usr", "../../victim"), link(LINK, f"../../usr/{ID}")],
    "folder of build-ids that is a link": [link(".build-id", "{out}")],
    "folder of a build-id that is a link": [folder(".build-id"), link(".build-id/ab", "{out}")],
    "file through a link": [link("usr", "{out}"), member("usr/planted")],
    "file that is a link": [folder(f"x/{ID}"), link(f"x/{ID}/elf", "{out}/precious"), link(LINK, f"../../x/{ID}")],
    "entry that is a link": [link(f"x/{ID}", "{out}"), link(LINK, f"../../x/{ID}")],
    "names that are no build-id": [member("x/nothex/elf"), link(".build-id/no/thex", "../../x/nothex")],
    "absolute name": [member("{out}/planted")],
    "name that leads upwards": [member("../victim/planted")],
    "name that leads upwards in the middle": [member("usr/../../victim/planted")],
    "hard link to a file outside": [member("hard", tarfile.LNKTYPE, "{out}/precious")],
    "hard link upwards": [member("hard", tarfile.LNKTYPE, "../victim/precious")],
    "device": [member("null", tarfile.CHRTYPE)],
    "fifo": [member(f"x/{ID}/elf", tarfile.FIFOTYPE), link(LINK, f"../../x/{ID}")],
}

# Of these no link leads anywhere: each is refused where it is met.
UNTOLD = ("folder of build-ids that is a link", "file through a link", "file that is a link", "fifo")


def filled(members, out):
    return [member(i.name.format(out=out), i.type, i.linkname.format(out=out)) if i.type != tarfile.DIRTYPE else (i, d)
            for i, d in members]


def make_victim(t):
    """-> its folder, and whether it is whole"""
    out = t.path("victim")
    for name in (out, out + "/" + ID, t.path(ID), t.path(".debug/.keep")):
        os.makedirs(name, exist_ok=True)
    for name in (out, out + "/" + ID, t.path(ID)):
        with open(name + "/precious", "w") as f:
            f.write("precious\n")

    def whole():
        for name in (out, out + "/" + ID, t.path(ID)):
            if os.listdir(name) not in (["precious"], ["precious", ID], [ID, "precious"]):
                return False
            with open(name + "/precious") as f:
                if f.read() != "precious\n":
                    return False
        return True

    return out, whole


def commands(t):
    prog = PROGRAMS + "/shares"
    return (["buildid-cache", "-l"], ["buildid-cache", "-a", prog], ["buildid-cache", "-u", prog], ["buildid-cache", "-r", prog],
            ["buildid-cache", "-p", prog], ["buildid-cache", "-p", "/usr"], ["list", "sdt"], ["buildid-cache", "-P"])


@fault("archive that leads out of the store")
def hostile_archive(t):
    """Refused whole by archive --unpack; unpacked by tar, no command follows what came out of it."""
    for name, members in ATTACKS.items():
        for wrapped in (False, True):
            shutil.rmtree(t.path(".debug"), ignore_errors=True)
            out, whole = make_victim(t)
            good = [member(f"good/{ID[::-1]}/elf"), link(f".build-id/dc/{ID[::-1][2:]}", f"../../good/{ID[::-1]}")]
            archive(t.path("perf.symbols.tar.bz2"), good + filled(members, out))
            if wrapped:
                with tarfile.open(t.path("all.tar.bz2"), "w:bz2") as tar:
                    tar.add(t.path("perf.symbols.tar.bz2"), "perf.symbols.tar.bz2")
            which = "all.tar.bz2" if wrapped else "perf.symbols.tar.bz2"
            status, _, err = t.run([PERF, "archive", "--unpack", which])
            t.check(status == 255 and "is not unpacked: it would write or lead out" in err and "perf: refused: " in err,
                    f"{name}: {status}: {err}")
            t.check(os.listdir(t.path(".debug")) == [".keep"], f"{name}: unpacked {os.listdir(t.path('.debug'))}")
            t.check(whole(), f"{name}: --unpack harmed what is outside")
            t.saw("refused")


@fault("store that leads out of itself")
def hostile_store(t):
    for name, members in ATTACKS.items():
        if name.startswith(("absolute name", "name that leads", "hard link", "device")):
            continue
        for words in commands(t):
            shutil.rmtree(t.path(".debug"), ignore_errors=True)
            out, whole = make_victim(t)
            for info, data in filled(members, out):
                path = t.path(".debug/" + info.name)
                if os.path.lexists(path):
                    continue
                if info.type == tarfile.DIRTYPE:
                    os.makedirs(path)
                    continue
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if info.type == tarfile.SYMTYPE:
                    os.symlink(info.linkname, path)
                elif info.type == tarfile.FIFOTYPE:
                    os.mkfifo(path)
                elif not path.startswith(t.path(".debug/usr")):
                    with open(path, "w") as f:
                        f.write("x\n")
            status, said, err = t.run([PERF, *words], limit=60)
            t.check(status in (0, 255), f"{name}: {words}: {status}: {err}")
            t.check(whole(), f"{name}: {words} harmed what is outside: {err}")
            if words[-1] in ("-l", "-P") and name not in UNTOLD:
                t.check("leads to no entry of the store" in err, f"{name}: {words} says nothing: {status}: {err}")
                t.check((status == 255) == (words[-1] == "-P"), f"{name}: {words}: {status}: {err}")
            t.saw("not followed")


@fault("store with links where files are put in")
def writing(t):
    """-a makes no folder and no file behind a link, -r and -u remove none."""
    prog = os.path.realpath(PROGRAMS + "/shares")
    top = prog.split("/")[1]
    status, said, err = t.run([PERF, "buildid-cache", "-a", prog])
    t.check(status == 0, err)
    kcore = ["buildid-cache", "-k", "/proc/kcore"] if os.access("/proc/kcore", os.R_OK) else None
    for words, link in ((["-a", prog], top), (["-u", prog], top), (["-r", prog], top), (["-p", prog], top),
                        (["-a", prog], ".build-id"), (["-P"], ".build-id"), (["-P"], top)):
        shutil.rmtree(t.path(".debug"))
        t.run([PERF, "buildid-cache", "-a", prog])
        shutil.move(t.path(".debug/" + link), t.path("moved"))
        os.symlink(t.path("moved"), t.path(".debug/" + link))
        before = sorted((at, *sorted(files)) for at, _, files in os.walk(t.path("moved")))
        status, said, err = t.run([PERF, "buildid-cache", *words])
        t.check(status == 255 and err, f"{words} with {link} a link: {status}: {said} {err}")
        t.check(words[0] != "-a" or "a link is in the way" in err, f"{words} with {link} a link: {err}")
        t.check(before == sorted((at, *sorted(files)) for at, _, files in os.walk(t.path("moved"))),
                f"{words} with {link} a link: changed what it leads to")
        shutil.rmtree(t.path("moved"))
        os.unlink(t.path(".debug/" + link))
        t.saw("not followed")
    if kcore:
        os.mkdir(t.path("moved"))
        os.symlink(t.path("moved"), t.path(".debug/[kernel.kcore]"))
        status, said, err = t.run([PERF, *kcore])
        t.check(status == 255 and not os.listdir(t.path("moved")), f"{kcore}: {status}: {err}")
        t.saw("not followed")


@fault("store whose files lie outside of it")
def reading(t):
    """What report would read: a program with its symbols, behind links that lead out."""
    prog = t.path("prog")
    shutil.copy(PROGRAMS + "/shares", prog)
    t.run([PERF, "buildid-cache", "-a", prog])
    status, said, err = t.run([PERF, "buildid-cache", "-l"])
    t.check(status == 0 and said.endswith(" " + prog + "\n"), f"{status}: {said} {err}")
    ident = said.split()[0]
    entry = t.path(".debug") + prog + "/" + ident
    status, _, err = t.run([PERF, "record", "-q", "-F", "999", "-e", "cpu-clock:u", "-o", "p.data", prog, "0.2"])
    t.check(status == 0, err)
    shutil.move(prog, t.path("outside"))

    def names():
        status, said, err = t.run([PERF, "report", "--stdio", "-v", "-s", "sym", "-i", "p.data"])
        t.check(status == 0, err)
        return "] hot" in said, said + err

    t.check(names()[0], "no names from the store")
    shutil.move(entry, t.path("moved"))
    os.symlink(t.path("moved"), entry)
    found, said = names()
    t.check(not found and "leads out of the build-id cache" in said, f"entry that is a link: {said}")
    t.saw("not followed")
    os.unlink(entry)
    os.mkdir(entry)
    os.symlink(t.path("moved/elf"), entry + "/elf")
    found, said = names()
    t.check(not found and "leads out of the build-id cache" in said, f"file that is a link: {said}")
    t.saw("not followed")
    os.unlink(entry + "/elf")
    os.rmdir(entry)
    at = t.path(f".debug/.build-id/{ident[:2]}/{ident[2:]}")
    os.unlink(at)
    os.makedirs(t.path("elsewhere"))
    shutil.move(t.path("moved"), t.path("elsewhere/" + ident))
    os.symlink("../../../elsewhere/" + ident, at)
    found, said = names()
    t.check(not found and "leads out of the build-id cache" in said, f"link upwards: {said}")
    status, said, err = t.run([PERF, "buildid-cache", "-M", "p.data"])
    t.check(ident in said, f"-M believes the link: {said} {err}")
    t.saw("not followed")


@fault("archive of a store, unpacked twice")
def good_archive(t):
    """Each of its files is there, a file that was there stays, a folder above is not made anew."""
    os.makedirs(t.path(".debug"))
    archive(t.path("a.tar.bz2"), [folder(".build-id"), member(f"./usr/bin/x/{ID}/elf", data=b"new\n"),
                                  member(f"./usr/bin/x/{ID}/debug", data=b"debug\n"),
                                  member(f"usr/bin/x/{ID}/vdso", tarfile.LNKTYPE, f"./usr/bin/x/{ID}/debug"),
                                  link("./" + LINK, f"../../usr/bin/x/{ID}")])
    for _ in range(2):
        status, _, err = t.run([PERF, "archive", "--unpack", "a.tar.bz2"])
        t.check(status == 0 and err.startswith("perf: unpacked a.tar.bz2 into "), f"{status}: {err}")
        t.check(sorted(os.listdir(t.path(".debug"))) == [".build-id", "usr"], f"left: {os.listdir(t.path('.debug'))}")
        for name, text in (("elf", "new\n"), ("debug", "debug\n"), ("vdso", "debug\n")):
            with open(t.path(f".debug/{LINK}/{name}")) as f:
                t.check(f.read() == text, name)
        status, said, err = t.run([PERF, "buildid-cache", "-l"])
        t.check(said == f"{ID} /usr/bin/x\n" and not err, f"{said} {err}")
        t.saw("unpacked")
    archive(t.path("a.tar.bz2"), [member(f"usr/bin/x/{ID}/elf", data=b"other\n"), link(LINK, f"../../usr/bin/x/{ID}")])
    status, _, err = t.run([PERF, "archive", "--unpack", "a.tar.bz2"])
    with open(t.path(f".debug/{LINK}/elf")) as f:
        t.check(status == 0 and f.read() == "new\n", f"written over: {status}: {err}")
    t.saw("unpacked")
    status, _, err = t.run([PERF, "buildid-cache", "-P"])
    t.check(status == 0 and not os.listdir(t.path(".debug/.build-id")) and os.listdir(t.path(".debug")) == [".build-id"],
            f"{status}: {err}: {os.listdir(t.path('.debug'))}")
    t.saw("emptied")
