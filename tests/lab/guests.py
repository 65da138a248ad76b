"""The guests: which kernel on which emulated machine, and how to start it.

A kernel is named by Debian's meta-package of its line; the newest of the line is taken when it is fetched.
"""
import glob
import lzma
import os
import re
import shutil
import struct
import subprocess

from packages import Missing

# Modules that let files out of the guest through a block device.
DISK = ["virtio_pci", "virtio_blk"]
# ... and those that let a guest run virtual machines: the emulated processor has what AMD's have for them.
KVM = {"amd64": ["kvm_amd"]}


class Guest:
    def __init__(self, name, arch, kernel, qemu, machine, about, console, smp=2, boot="image", accel="tcg"):
        self.name, self.arch, self.meta, self.qemu = name, arch, kernel, qemu
        self.machine, self.about, self.console, self.smp = machine, about, console, smp
        self.boot, self.accel = boot, accel


ARM = "-M virt,gic-version=3 -cpu neoverse-n1"
PPC = "-M pseries,x-vof=on,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off -cpu power9"
X86 = "-M q35 -cpu max"
MTTCG = "tcg,thread=multi"
# Code that the kernel patches (static keys, tracepoints) and another thread of qemu executes meanwhile kills a guest now and then, on a
# quiet machine each time. qemu's own choice for x86 on x86 is several threads.
ONE_THREAD = "tcg,thread=single"

GUESTS = {g.name: g for g in (
    Guest("arm64-6.1", "arm64", "linux-image-cloud-arm64", "qemu-system-aarch64", ARM,
          "a PMU with 6 counters and one of cycles, that counts and samples", "ttyAMA0", accel=MTTCG),
    Guest("arm64-6.12", "arm64", "linux-image-6.12-cloud-arm64", "qemu-system-aarch64", ARM,
          "the same, on a newer kernel", "ttyAMA0", accel=MTTCG),
    Guest("arm64-icount", "arm64", "linux-image-cloud-arm64", "qemu-system-aarch64",
          ARM + " -icount shift=1,sleep=off",
          "time is instructions: the same counts in every run", "ttyAMA0", smp=1, accel=ONE_THREAD),
    Guest("arm64-16k", "arm64", "linux-image-6.12-arm64-16k", "qemu-system-aarch64", ARM,
          "pages of 16 KiB", "ttyAMA0", accel=MTTCG),
    Guest("ppc64le", "ppc64el", "linux-image-powerpc64le", "qemu-system-ppc64", PPC,
          "64 KiB pages, and a PMU on which every generic event opens", "hvc0", smp=1, boot="vmlinux"),
    Guest("x86-6.1", "amd64", "linux-image-cloud-amd64", "qemu-system-x86_64", X86,
          "no PMU; kprobes, modules; the kernel at its linked address", "ttyS0", boot="pvh", accel=ONE_THREAD),
    Guest("x86-6.1-kaslr", "amd64", "linux-image-cloud-amd64", "qemu-system-x86_64", X86,
          "the same, at an address that changes with every boot", "ttyS0", accel=ONE_THREAD),
    Guest("x86-6.12", "amd64", "linux-image-6.12-cloud-amd64", "qemu-system-x86_64", X86,
          "fprobes and BTF arguments", "ttyS0", boot="pvh", accel=ONE_THREAD),
)}


def kernel_image(folder, boot):
    """The file to give to qemu."""
    if boot != "pvh":
        found = glob.glob(folder + ("/boot/vmlinux-*" if boot == "vmlinux" else "/boot/vmlinuz-*"))
        return found[0]
    out = folder + "/vmlinux"
    if not os.path.exists(out):
        unpack_vmlinux(glob.glob(folder + "/boot/vmlinuz-*")[0], out)
    return out


def unpack_vmlinux(image, out):
    """The ELF file inside a bzImage (Documentation/arch/x86/boot.rst: setup_sects, payload_offset, payload_length).

    Started as ELF the kernel need not unpack itself, which takes seconds under emulation, and is not moved."""
    with open(image, "rb") as f:
        data = f.read()
    start = ((data[0x1f1] or 4) + 1) * 512
    offset, length = struct.unpack_from("<II", data, 0x248)
    payload = data[start + offset:start + offset + length - 4]  # then its size
    if payload[:6] == b"\xfd7zXZ\0":
        elf = lzma.LZMADecompressor().decompress(payload)
    else:
        tool = {b"\x28\xb5\x2f\xfd": "zstd", b"\x02\x21\x4c\x18": "lz4"}.get(payload[:4])
        if not tool or not shutil.which(tool):
            raise Missing(f"no {tool or 'program'} to unpack {os.path.basename(image)}")
        elf = subprocess.run([tool, "-dc"], input=payload, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    if elf[:4] != b"\x7fELF":
        raise Missing(f"{os.path.basename(image)} holds no ELF file")
    with open(out + ".new", "wb") as f:
        f.write(elf)
    os.rename(out + ".new", out)


def modules(folder, names):
    """-> [(path inside the guest, bytes)], each after those that it depends on (its section .modinfo names them)."""
    tree = glob.glob(folder + "/lib/modules/*/kernel")
    if not tree:
        return []
    known = {}
    for path in glob.glob(tree[0] + "/**/*.ko*", recursive=True):
        known[os.path.basename(path).split(".ko")[0].replace("-", "_")] = path
    done, order = set(), []

    def add(name):
        if name in done or name not in known:  # one that isn't there is part of the kernel
            return
        done.add(name)
        with open(known[name], "rb") as f:
            data = f.read()
        if known[name].endswith(".xz"):
            data = lzma.decompress(data)
        for found in re.findall(rb"\0depends=([\w,-]*)\0", data):
            for other in found.decode().replace("-", "_").split(","):
                add(other)
        order.append((known[name][len(folder):].removesuffix(".xz"), data))

    for name in names:
        add(name)
    return order


def command(guest, kernel, initrd, disk):
    return (["nice", "-n", "5", guest.qemu, "-accel", guest.accel, "-smp", str(guest.smp), "-m", "1024"]
            + guest.machine.split()
            + ["-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio", "-no-reboot",
               "-drive", f"file={disk},if=none,id=out,format=raw,cache=unsafe", "-device", "virtio-blk-pci,drive=out",
               "-kernel", kernel, "-initrd", initrd,
               "-append", f"console={guest.console} quiet loglevel=1 panic=-1"])
