"""Debian packages of any architecture in a cache directory, through apt, without touching the machine.

Every architecture has a view of the archive of its own (lists, downloads, an empty dpkg status), so the
machine's architectures, sources and packages stay as they are, and no rights are needed. What is in the
cache stays until `tests/lab/run --update`.

  CACHE/ARCH/apt/      apt's state          CACHE/ARCH/debs/     downloaded packages
  CACHE/ARCH/root/     libraries, perf, busybox, headers: all unpacked over each other
  CACHE/ARCH/kernels/PACKAGE/               one kernel each
"""
import glob
import os
import subprocess

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITE = "bookworm"


def cache_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("LAB_CACHE") or cache + "/perf-lab"


def mirror():
    """Where this machine's own packages come from, or what LAB_MIRROR says: without the archive's folder."""
    given = os.environ.get("LAB_MIRROR")
    if given:
        return given
    out = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True).stdout
    for site in out.split("\n"):
        if site.rstrip("/").endswith("/debian"):
            return site.rstrip("/")[:-len("/debian")]
    return ""


# What is in every guest, beside the libraries that perf 6.1 is linked with.
GUEST = ["busybox-static", "linux-perf"]
LIBRARIES = """libc6 libgcc-s1 libstdc++6 libgomp1 libelf1 libdw1 liblzma5 zlib1g libzstd1 libbz2-1.0 libunwind8 libslang2
    libperl5.36 libpython3.11 libcrypt1 libexpat1 libcap2 libnuma1 libopencsd1 libbabeltrace1 libglib2.0-0 libpcre2-8-0
    libuuid1 libtraceevent1 libaudit1 libcap-ng0 libssl3""".split()
# What ours is built with, as in tools/install-deps; -dev packages need their libraries beside them.
BUILD = """libzstd-dev liblzma-dev zlib1g-dev libxxhash-dev libxxhash0 libiberty-dev libcmocka-dev libcmocka0
    libelf-dev libbpf-dev libbpf1 libdw-dev libjansson-dev libjansson4 libncurses-dev libncurses6 libncursesw6 libtinfo6""".split()


# The oldest libraries that are supported: what is linked with, the C library and its headers, those of the kernel.
OLDEST = "bullseye"
OLDEST_PACKAGES = """libc6 libc6-dev linux-libc-dev libcrypt1 libcrypt-dev libgcc-s1 libstdc++6 libelf1 libelf-dev libdw1 libdw-dev
    liblzma5 liblzma-dev zlib1g zlib1g-dev libbz2-1.0 libbz2-dev libzstd1 libzstd-dev libxxhash0 libxxhash-dev libiberty-dev
    libcmocka0 libcmocka-dev libjansson4 libjansson-dev libncurses-dev libncurses6 libncursesw6 libtinfo6""".split()


class Missing(Exception):
    """This machine cannot: the text says why."""


def output(words, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode:
        raise Missing(f"{words[0]}: {(done.stderr.strip() or 'failed').splitlines()[-1]}")
    return done.stdout


def keep_links_inside(root):
    """Absolute links of unpacked libraries point into root, not into the machine."""
    for folder in glob.glob(root + "/usr/lib/*-linux-gnu") + glob.glob(root + "/lib64"):
        for entry in os.scandir(folder):
            target = os.readlink(entry.path) if entry.is_symlink() else ""
            if target.startswith("/"):
                os.unlink(entry.path)
                os.symlink(os.path.relpath(root + target, folder), entry.path)


class Archive:
    def __init__(self, cache, arch, suite=SUITE):
        self.arch, self.suite = arch, suite
        self.home = os.path.join(cache, arch if suite == SUITE else f"{arch}-{suite}")
        self.root = self.home + "/root"
        self.apt = self.home + "/apt"
        self.debs = self.home + "/debs"

    def command(self, program, *words):
        options = {"APT::Architecture": self.arch, "APT::Architectures::": self.arch, "APT::Sandbox::User": "",
                   "Dir::Etc::sourcelist": self.apt + "/sources.list", "Dir::Etc::sourceparts": "/dev/null",
                   "Dir::Etc::preferencesparts": "/dev/null", "Dir::State": self.apt + "/state",
                   "Dir::State::lists": self.apt + "/lists", "Dir::State::status": self.apt + "/status",
                   "Dir::Cache": self.apt + "/cache", "Acquire::Retries": "1", "Acquire::http::Timeout": "30"}
        line = [program, "-q"]
        for name, value in options.items():
            line += ["-o", f"{name}={value}"]
        return output(line + list(words), cwd=self.debs, env=dict(os.environ, LC_ALL="C"))

    def open(self):
        """The lists of the archive, once."""
        if glob.glob(self.apt + "/lists/*_main_*Packages*"):
            return
        if not os.path.exists(KEYS):
            raise Missing(f"no {KEYS}: the kernels are Debian's (package debian-archive-keyring)")
        for name in ("lists/partial", "state", "cache/archives/partial"):
            os.makedirs(f"{self.apt}/{name}", exist_ok=True)
        os.makedirs(self.debs, exist_ok=True)
        open(self.apt + "/status", "w").close()
        with open(self.apt + "/sources.list", "w") as f:
            for where, suite in (("debian", self.suite), ("debian-security", self.suite + "-security")):
                f.write(f"deb [signed-by={KEYS}] {mirror()}/{where} {suite} main\n")
        try:
            self.command("apt-get", "update")
        except Missing:
            # the archive of fixes does not have every architecture whole; the main one does
            if not glob.glob(self.apt + "/lists/*debian_dists_*_main_*Packages*"):
                raise

    def target(self, name):
        """The kernel package that a meta-package stands for now."""
        for line in self.command("apt-cache", "depends", "-i", name).splitlines():
            if line.strip().startswith("Depends: linux-image-"):
                return line.split()[1]
        return name

    def deb(self, name):
        """The file of a package, or None."""
        found = glob.glob(f"{self.debs}/{glob.escape(name)}_*.deb")
        return max(found, key=os.path.getmtime) if found else None

    def fetch(self, names):
        lacking = [n for n in names if not self.deb(n)]
        if not lacking:
            return
        self.open()
        known = set(self.command("apt-cache", "pkgnames").split())
        lacking = [n for n in lacking if n in known]
        self.command("apt-get", "download", *lacking)

    def unpack(self, names, root):
        """Fetches what is lacking and unpacks what has not been. Names that the archive doesn't have are left out."""
        os.makedirs(root + "/.done", exist_ok=True)
        names = [n for n in names if not os.path.exists(f"{root}/.done/{n}")]
        self.fetch(names)
        for name in names:
            deb = self.deb(name)
            if deb:
                output(["dpkg-deb", "-x", deb, root])
        keep_links_inside(root)
        for name in names:
            open(f"{root}/.done/{name}", "w").close()

    def libraries(self):
        """What ours is built with."""
        self.unpack(LIBRARIES + BUILD, self.root)

    def base(self):
        self.unpack(GUEST + LIBRARIES + BUILD, self.root)

    def kernel(self, meta):
        """Folder of an unpacked kernel, newest of its line when it was fetched first."""
        link = f"{self.home}/kernels/{meta}"
        if not os.path.exists(link + "/boot"):
            self.open()
            self.unpack([self.target(meta)], link)
        return link
