"""What a hostile bot tries from inside: one text of Python for each group.

``attempt(name, call)`` tells the worker's log how each try ended: the error's name, or what it
got through. The bot then plays on as if nothing had been.
"""

PREAMBLE = """
import ctypes, errno, os, socket, sys, threading, time
from mamenoki.sdk import Bot

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def attempt(name, call):
    try:
        got = call()
    except OSError as error:
        told = errno.errorcode.get(error.errno, type(error).__name__)
    except (MemoryError, RuntimeError, ImportError, ValueError) as error:
        told = type(error).__name__
    else:
        told = "THROUGH " + repr(got)[:200]
    print("ATTEMPT", name, "->", told)


def system_call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(one) for one in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def read(path):
    with open(path, "rb") as file:
        return file.read(64)


def write(path, data="x"):
    with open(path, "w") as file:
        file.write(data)


class Attacker(Bot):
    tried = False

    def choose(self, decision):
        if not self.tried:
            self.tried = True
            attack()
        return "stop" if "stop" in decision.legal else decision.legal[-1]

"""

FILES = """
def attack():
    for path in ("/etc/passwd", "/etc/shadow", OURS, OTHER, CANARY, "/root/.bashrc", "/proc/" + str(WORKER) + "/environ"):
        attempt("read " + path, lambda: read(path))
        attempt("climb " + path, lambda: read("../" * 12 + path.lstrip("/")))
    attempt("list etc", lambda: os.listdir("/etc"))
    attempt("list others", lambda: os.listdir(os.path.dirname(os.path.dirname(CANARY))))
"""

LINKS = """
def attack():
    for place in ("/tmp", "/bot", ".", "/dev/shm", "/client"):
        attempt("link in " + place, lambda: os.symlink("/etc/passwd", place + "/link"))
        attempt("hard link in " + place, lambda: os.link(__file__, place + "/hard"))
        attempt("pipe in " + place, lambda: os.mkfifo(place + "/pipe"))
        attempt("device in " + place, lambda: os.mknod(place + "/null", 0o020666, os.makedev(1, 3)))
"""

WRITES = """
def attack():
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/dev", "/bot", "/client", "/", "/usr/bin", "/etc", "/run", "."):
        attempt("file in " + place, lambda: write(place + "/big"))
        attempt("folder in " + place, lambda: os.mkdir(place + "/folder"))
        attempt("nameless file in " + place, lambda: os.open(place, os.O_TMPFILE | os.O_RDWR))
    attempt("its own file", lambda: write(__file__))
    attempt("its own file's mode", lambda: os.chmod(__file__, 0o777))
    attempt("its own file's name", lambda: os.rename(__file__, __file__ + "x"))
    attempt("its own file away", lambda: os.unlink(__file__))
    attempt("the client", lambda: write(sys.modules["mamenoki.sdk"].__file__))
"""

NETWORK = """
def connect(family, kind, address):
    with socket.socket(family, kind) as one:
        one.settimeout(1)
        one.connect(address)

def attack():
    for port in (PORT, 6379, 5432, 50051):
        attempt("tcp %d" % port, lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)))
    attempt("tcp6", lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)))
    attempt("metadata", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80)))
    attempt("udp", lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 53)))
    attempt("name", lambda: socket.create_connection(("localhost", PORT), 1))
    attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
    attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
    attempt("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
    attempt("alg", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))
    attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)))
    attempt("unix path", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, PATH))
    attempt("unix abstract", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, chr(0) + ABSTRACT))
    attempt("datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
    pair = socket.socketpair()
    attempt("connect a pair", lambda: pair[0].connect(chr(0) + ABSTRACT))
    attempt("bind a pair", lambda: pair[0].bind(chr(0) + "mine"))
"""

PROCESSES = """
import subprocess

def shell():
    return libc.system(b"true") or None

def attack():
    attempt("fork", os.fork)
    attempt("forkpty", os.forkpty)
    attempt("subprocess", lambda: subprocess.run(["/usr/bin/true"]))
    attempt("spawn", lambda: os.posix_spawn("/usr/bin/true", ["true"], {}))
    attempt("clone3", lambda: system_call(435, 0, 0))
    attempt("clone without thread", lambda: system_call(CLONE, 17, 0, 0, 0, 0))
    attempt("clone new user", lambda: system_call(CLONE, 0x10000000 | 17, 0, 0, 0, 0))
    attempt("clone new user, thread", lambda: system_call(CLONE, 0x10000000 | 0x10000 | 17, 0, 0, 0, 0))
    attempt("vm clone", lambda: system_call(CLONE, 0x100 | 17, 0, 0, 0, 0))
    attempt("outlive the worker", lambda: prctl(1, 0))
    attempt("outlive the worker, wide", lambda: prctl((1 << 32) + 1, 0))

def prctl(option, value):
    if libc.prctl(ctypes.c_ulong(option), ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "")
"""

THREADS = """
def attack():
    threading.stack_size(64 << 10)
    done = threading.Event()
    count = 1
    try:
        while count < 10_000:
            threading.Thread(target=done.wait, daemon=True).start()
            count += 1
    except (RuntimeError, MemoryError):
        pass
    done.set()
    print("ATTEMPT threads ->", "bounded" if count <= 32 else "THROUGH %d" % count)
"""

MEMORY = """
import mmap

def shared():
    held = []
    for _ in range(64):
        held.append(mmap.mmap(-1, 64 << 20))
        held[-1].write(bytes(64 << 20))
    return len(held)

def attack():
    attempt("1 GiB", lambda: len(bytearray(1 << 30)))
    attempt("many", lambda: len([bytearray(1 << 20) for _ in range(2048)]))
    attempt("shared", shared)
    attempt("memfd", lambda: os.memfd_create("m"))
    attempt("shmget", lambda: system_call(SHMGET, 0, 1 << 20, 0o1600))
    attempt("semget", lambda: system_call(SEMGET, 0, 1, 0o1600))
    attempt("msgget", lambda: system_call(MSGGET, 0, 0o1600))
    attempt("a queue", lambda: system_call(MQ_OPEN, 0, 0, 0, 0))
    attempt("more, by limit", lambda: __import__("resource").setrlimit(9, (1 << 40, 1 << 40)))
"""

OTHERS = """
import signal

def attack():
    for name, pid in (("worker", WORKER), ("rival", RIVAL), ("init", 1)):
        if pid == 1 and not OWN_PROCESSES:
            continue
        if pid != 1:
            attempt("kill " + name, lambda: os.kill(pid, 9))
        attempt("stop " + name, lambda: os.kill(pid, signal.SIGSTOP) if pid != 1 else exec("raise OSError(1, '')"))
        attempt("trace " + name, lambda: system_call(PTRACE, 16, pid, 0, 0))
        attempt("seize " + name, lambda: system_call(PTRACE, 0x4206, pid, 0, 0))
        attempt("read " + name, lambda: system_call(VM_READ, pid, 0, 0, 0, 0, 0))
        attempt("write " + name, lambda: system_call(VM_WRITE, pid, 0, 0, 0, 0, 0))
        attempt("memory of " + name, lambda: os.open("/proc/%d/mem" % pid, os.O_RDWR))
        attempt("limit " + name, lambda: __import__("resource").prlimit(pid, 7, (0, 0)))
        attempt("slow down " + name, lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
        attempt("bind " + name, lambda: os.sched_setaffinity(pid, {0}))
    try:
        os.kill(-1, 9)  # the kernel says 0 even where it let none be reached: that the rival lives tells
    except OSError:
        pass
    attempt("kill the group of the worker", lambda: os.killpg(WORKER, 9))
    attempt("kcmp", lambda: system_call(KCMP, os.getpid(), WORKER, 0, 0, 0))
    attempt("a pidfd's files", lambda: system_call(438, 0, 0, 0))
"""

CALLS = """
def attack():
    for name, number in sorted(NUMBERS.items()):
        attempt(name, lambda: system_call(number, 0, 0, 0, 0, 0, 0))
    attempt("unshare user", lambda: system_call(NUMBERS["unshare"], 0x10000000))
    attempt("unshare files", lambda: system_call(NUMBERS["unshare"], 0x400))
"""

KERNEL = """
def attack():
    attempt("core pattern", lambda: write("/proc/sys/kernel/core_pattern", "|/bin/sh"))
    attempt("sysrq", lambda: write("/proc/sysrq-trigger", "b"))
    attempt("modprobe", lambda: write("/proc/sys/kernel/modprobe", "/tmp/x"))
    attempt("never die first", lambda: write("/proc/self/oom_score_adj", "-1000"))
    attempt("user map", lambda: write("/proc/self/uid_map", "0 0 1"))
    attempt("cgroup", lambda: write("/sys/fs/cgroup/cgroup.procs", "0"))
    attempt("list cgroups", lambda: os.listdir("/sys/fs/cgroup"))
    attempt("become root", lambda: os.setuid(0))
    attempt("become a group", lambda: os.setgroups([0]))
    attempt("clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
    attempt("host name", lambda: socket.sethostname("x"))
    attempt("kernel memory", lambda: read("/dev/mem"))
    attempt("kernel log", lambda: read("/dev/kmsg"))
    attempt("disks", lambda: [name for name in os.listdir("/dev") if name.startswith(("sd", "vd", "nvme", "loop"))] or exec("raise OSError(2, '')"))
"""

TERMINAL = """
import fcntl

def ioctl(command):
    for fd in (0, 1, 2):
        if libc.ioctl(fd, ctypes.c_ulong(command), b"x") == 0:
            return fd
    raise OSError(ctypes.get_errno(), "")

def attack():
    attempt("type", lambda: ioctl(0x5412))
    attempt("type, wide", lambda: ioctl(0x5412 + (1 << 32)))
    attempt("paste", lambda: ioctl(0x541C))
    attempt("paste, wide", lambda: ioctl(0x541C + (1 << 32)))
    attempt("the terminal", lambda: os.open("/dev/tty", os.O_RDWR))
"""
