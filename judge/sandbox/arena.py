"""Memory that a child gets, and how all other memory is kept from it.

A fork copies the page tables of the whole interpreter, and afterwards every page that we write costs a fault. A child
that only makes system calls from a table (see `launch`) needs neither the interpreter nor its heap: all else is marked
with madvise(2)'s MADV_DONTFORK. Then a fork is as cheap as a vfork, the child is no way to our memory, and a run's peak
memory, which begins at the size of the process that becomes it, begins near nothing.
"""

import ctypes
import os

from judge.sandbox import kernel

_READ_WRITE = 3
_PRIVATE, _ANONYMOUS = 2, 0x20
_DONTFORK = 10
_ALIGNMENT = 16
_ARCH_PRCTL, _ARCH_GET_FS = 158, 0x1003  # x86_64


class Arena:
    """A range of memory of our own, filled from its start.

    Args:
        size: bytes; what is never used costs nothing.

    Raises:
        OSError: there is no memory.
    """

    def __init__(self, size: int) -> None:
        self.start = pages(size, _PRIVATE)
        self._end = self.start + size
        self._free = self.start

    def reserve(self, size: int) -> int:
        """Return the address of so many bytes of it, whatever they hold.

        Raises:
            OSError: it is full.
        """
        at, self._free = self._free, self._free + size + -size % _ALIGNMENT
        if self._free > self._end:
            raise OSError(12, f"no room for {size} bytes")
        return at

    def put(self, data: bytes) -> int:
        """Return the address of a copy of some bytes, with a zero behind them."""
        at = self.reserve(len(data) + 1)
        ctypes.memmove(at, data + b"\0", len(data) + 1)
        return at

    def clear(self) -> None:
        """Take back all that was given."""
        self._free = self.start


def pages(size: int, kind: int) -> int:
    """Return the address of new anonymous memory, private (2) or shared (1) with children."""
    mmap = kernel.LIBC.mmap
    mmap.restype = ctypes.c_void_p
    at: int | None = mmap(None, ctypes.c_size_t(size), _READ_WRITE, kind | _ANONYMOUS, -1, ctypes.c_long(0))
    if at is None or at == ctypes.c_void_p(-1).value:
        raise OSError(12, "no memory for what starts the runs")
    return at


def keep_from_children(kept: "list[int]") -> None:
    """Let children of ours have nothing but the ranges of memory that these addresses lie in. They must not run Python.

    The kernel itself writes to a thread's area for restartable sequences (rseq(2)) when it goes on after a pause, and
    ends who has none: a child has it where we have it. x86_64 only.
    """
    pointer = ctypes.c_ulong()
    kernel.checked(kernel.LIBC.syscall(_ARCH_PRCTL, _ARCH_GET_FS, ctypes.byref(pointer)), "arch_prctl")
    kept = [*kept, pointer.value, pointer.value + _rseq_offset()]
    fd = os.open("/proc/self/maps", os.O_RDONLY | os.O_CLOEXEC)
    parts = []
    while part := os.read(fd, 1 << 16):
        parts.append(part)
    os.close(fd)
    for line in b"".join(parts).splitlines():
        start, end = (int(word, 16) for word in line.split(b" ", 1)[0].split(b"-"))
        if not any(start <= address < end for address in kept):
            # It fails for a page of the kernel's own, which a child has anyway.
            kernel.LIBC.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _DONTFORK)


def _rseq_offset() -> int:
    try:
        return ctypes.c_ssize_t.in_dll(kernel.LIBC, "__rseq_offset").value
    except ValueError:  # a C library that does not register any
        return 0
