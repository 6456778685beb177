"""Seccomp filters: which system calls a bot may make. Built here, in the kernel's own byte code, for each machine."""
