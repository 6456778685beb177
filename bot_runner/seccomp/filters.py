"""What bots are denied. A bot computes, reads its files and its pipes, and has threads; it needs little else."""

import errno
import platform
from functools import cache

from bot_runner.errors import SandboxMissing
from bot_runner.seccomp.program import MACHINES, Among, Deny, Unless, assemble

_CLONE_THREAD = 0x00010000
_CLONE_NEW = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_SOCK_STREAM, _SOCK_TYPE = 1, 0xF
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_PR_SET_PDEATHSIG = 1
_ALL = 0xFFFFFFFF

_OTHERS = Deny(("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
                "pidfd_getfd"))  # fmt: skip
_KERNEL = Deny((
    "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "userfaultfd", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "syslog", "quotactl", "quotactl_fd", "personality", "swapon", "swapoff", "reboot", "acct",
    "sethostname", "setdomainname", "vhangup", "iopl", "ioperm", "modify_ldt", "fanotify_init", "lookup_dcookie",
))  # fmt: skip
_PLACES = Deny((
    "mount", "umount2", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick",
    "mount_setattr", "chroot", "pivot_root", "setns", "unshare", "name_to_handle_at", "open_by_handle_at",
))  # fmt: skip
_CLOCK = Deny(("settimeofday", "clock_settime", "clock_adjtime", "adjtimex"))
# Memory that no limit on the process counts.
_HIDDEN_MEMORY = Deny((
    "memfd_create", "memfd_secret", "mbind", "move_pages", "migrate_pages", "set_mempolicy",
    "set_mempolicy_home_node", "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl",
    "semget", "semop", "semctl", "semtimedop", "mq_open", "mq_unlink",
))  # fmt: skip
# Threads yes, processes no: then a bot is one process, and one kill ends it. clone3 has its flags in memory,
# where a filter cannot read them; ENOSYS makes C libraries fall back on clone.
_PROCESSES = (
    Deny(("fork", "vfork")),
    Deny(("clone",), argument=Unless(0, _CLONE_THREAD | _CLONE_NEW, _CLONE_THREAD)),
    Deny(("clone3",), errno.ENOSYS),
)
# A stream pair within the process stays possible, since event loops wake themselves by one; a datagram
# pair could be pointed at others.
_SOCKETS = (
    Deny(("socket",), errno.EAFNOSUPPORT),
    Deny(("socketpair",), argument=Unless(1, _SOCK_TYPE, _SOCK_STREAM)),
    Deny(("connect", "bind", "listen", "accept", "accept4")),
)
_TERMINAL = Deny(("ioctl",), argument=Among(1, (_TIOCSTI, _TIOCLINUX)))
_STAYS_MORTAL = Deny(("prctl",), argument=Among(0, (_PR_SET_PDEATHSIG,)))
_ITSELF_ONLY = Deny(
    ("prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"),
    argument=Unless(0, _ALL, 0),
)
_PRIORITIES = Deny(("setpriority", "ioprio_set"))
# Where the bot shares our file system, Landlock says which files it opens, but not whose
# owner, mode, times and attributes it changes, nor what it watches.
_METADATA = Deny((
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat", "file_setattr", "inotify_init", "inotify_init1", "inotify_add_watch",
))  # fmt: skip

NAMESPACES = (
    _OTHERS, _KERNEL, _PLACES, _CLOCK, _HIDDEN_MEMORY, *_PROCESSES, *_SOCKETS, _TERMINAL, _STAYS_MORTAL,
    _ITSELF_ONLY, _PRIORITIES,
)  # fmt: skip
INNER = (*NAMESPACES, _METADATA)


@cache
def program(rules: tuple[Deny, ...], machine: str | None = None) -> bytes:
    """A filter for ``machine`` (None: this one). SandboxMissing for a machine that has none."""
    machine = machine or platform.machine()
    if machine not in MACHINES:
        raise SandboxMissing(
            f"there is no system call filter for {machine}; bots run on {', '.join(MACHINES)}"
        )
    return assemble(rules, MACHINES[machine])
