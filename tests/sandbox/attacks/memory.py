"""Attacks on the memory limit: allocating much at once, slowly, or where it does not count as resident."""

import os

from tests.sandbox.attacks import MEMORY, NOT_STOPPED, REFUSED, WALL, Attack, everywhere, stopped


def _can_read_mappings() -> bool:
    """Return whether the files behind mappings can be read here: only the machine's root can."""
    try:  # without our own code, which the rows are to test
        with os.scandir("/proc/self/map_files") as found:
            next(found).stat()
    except OSError:
        return False
    return True


_KEPT = MEMORY if _can_read_mappings() else NOT_STOPPED

ATTACKS = (
    everywhere("ten gigabytes at once", "x = b'x' * (10 << 30)", MEMORY + "|exit 1: .*MemoryError"),
    everywhere("growing slowly", "kept = []\nwhile True: kept.append(bytearray(1 << 20)); time.sleep(0.001)", MEMORY),
    everywhere("growing fast in many threads", expected=MEMORY),
    everywhere("stacks of many threads", expected=MEMORY),
    everywhere("memory after the first thread has ended", expected=MEMORY),
    everywhere("page tables", expected=MEMORY),
    everywhere(
        "a map of a device of zeros",
        "import mmap\nf = open('/dev/zero', 'rb')\n"
        "m = mmap.mmap(f.fileno(), 1 << 30, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)\n"
        "for n in range(0, 1 << 30, 4096): m[n] = 1",
        MEMORY,
    ),
    everywhere(
        "a shared map",
        "import mmap\nm = mmap.mmap(-1, 1 << 30)\nfor n in range(0, 1 << 30, 4096): m[n] = 1",
        MEMORY,
    ),
    Attack(
        name="a shared map that is discarded and still there",
        source="import mmap\nm, step = mmap.mmap(-1, 1 << 29), 1 << 23\n"
        "for n in range(0, 1 << 29, step):\n"
        "  m[n:n + step] = b'x' * step\n"
        "  m.madvise(mmap.MADV_DONTNEED, n, step)\n"
        "print(m[0], m[-1])",
        full=_KEPT,
        landlock=_KEPT,
        limits=_KEPT,
    ),
    Attack(
        name="a shared map of which a page is left",
        source="import mmap\nLIBC.mmap.restype = ctypes.c_void_p\n"
        "for n in range(64):\n"
        "  m = LIBC.mmap(None, ctypes.c_size_t(1 << 23), 3, 0x21, -1, ctypes.c_long(0))\n"
        "  ctypes.memset(m, 1, 1 << 23)\n"
        "  LIBC.munmap(ctypes.c_void_p(m + mmap.PAGESIZE), ctypes.c_size_t((1 << 23) - mmap.PAGESIZE))\n"
        "time.sleep(0.5)\nprint('done')",
        full=_KEPT,
        landlock=_KEPT,
        limits=_KEPT,
    ),
    *(
        Attack(name=name, full=_KEPT, landlock=_KEPT, limits=_KEPT)
        for name in (
            "shared memory that a thread discards when the first has ended",
            "shared memory of which a page is kept at a low address",
        )
    ),
    everywhere(
        "a shared map of a device of zeros",
        "import mmap\nm = mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1 << 30)\n"
        "for n in range(0, 1 << 30, 4096): m[n] = 1",
        MEMORY,
    ),
    everywhere(
        "a shared map of a device of zeros that is only read",
        "import mmap\nm = mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 1 << 28, mmap.MAP_SHARED, mmap.PROT_READ)\n"
        "for n in range(0, 1 << 28, 4096): m[n]\n"
        "print('done')",
    ),
    everywhere(
        "shared memory of children",
        "import mmap\nm = mmap.mmap(-1, 1 << 28)\n"
        "for k in range(4):\n"
        "  if os.fork() == 0:\n"
        "    for n in range(k << 26, k + 1 << 26, 4096): m[n] = 1\n"
        "    time.sleep(60)\n"
        "time.sleep(60)",
        MEMORY,
        may_fork=True,
    ),
    stopped("a memory file", "attempt(lambda: os.truncate(os.memfd_create('x'), 1 << 30))"),
    everywhere(
        "buffers of pipes",
        "pipes = []\n"
        "try:\n"
        "  while True:\n"
        "    pipes.append(os.pipe())\n"
        "    os.set_blocking(pipes[-1][1], False)\n"
        "    os.write(pipes[-1][1], bytes(1 << 20))\n"
        "except OSError: print('done' if len(pipes) < 96 else len(pipes))",
    ),
    stopped(
        "larger buffers of pipes",
        "import fcntl\nattempt(lambda: fcntl.fcntl(os.pipe()[1], 1031, 1 << 20))",
    ),
    everywhere(
        "buffers of sockets",
        "kept = []\n"
        "try:\n"
        "  while True:\n"
        "    kept += (pair := socket.socketpair())\n"
        "    for s in pair:\n"
        "      s.setblocking(False)\n"
        "      try:\n"
        "        while True: s.send(bytes(1 << 16))\n"
        "      except BlockingIOError: pass\n"
        "except OSError: print('done' if len(kept) < 192 else len(kept))",
    ),
    stopped("sockets' buffers beyond the system's limit", expected=REFUSED),
    stopped("more descriptors than one program may have", expected=REFUSED),
    Attack(name="sockets that are closed and waited for", full=MEMORY, landlock=NOT_STOPPED),
    stopped(
        "descriptors in flight",
        "a, b = socket.socketpair()\nattempt(lambda: socket.send_fds(a, [b'x'], [0]), lambda: b.recvmsg(1))",
    ),
    everywhere("locked memory", expected="refused E(NOMEM|PERM|AGAIN)|done"),
    everywhere("endless recursion in C", expected=MEMORY + "|signal 11"),
    everywhere(
        "endless recursion in Python",
        "sys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1) + 1\nf(0)",
        MEMORY + "|signal 11|exit 1: .*(RecursionError|MemoryError).*",
    ),
    everywhere("a list of everything", "x = [0]\nwhile True: x += x", MEMORY + "|exit 1: .*MemoryError"),
    everywhere("a huge number", "x = 10 ** (10 ** 9)", "time limit|memory limit", cpu=0.3),
    everywhere(
        "a huge argument",
        "attempt(lambda: os.execv('/bin/true', ['x'] + ['y' * 100000] * 100000))",
        "memory limit|refused E2BIG",
    ),
    everywhere(
        "reserve without using", "import mmap\nmmap.mmap(-1, 1 << 36, mmap.MAP_PRIVATE | 0x4000)\nprint('done')"
    ),
    everywhere("sleep with too much", "x = b'x' * (200 << 20)\ntime.sleep(60)", MEMORY),
    everywhere("sleep with just enough", "x = b'x' * (80 << 20)\ntime.sleep(60)", WALL, wall=0.4),
    stopped(
        "shared memory, queues and semaphores of System V",
        expected="refused (EPERM|ENOSYS)(, refused (EPERM|ENOSYS))*",
    ),
    stopped("shared memory, queues and semaphores with names", expected="refused E\\w+(, refused E\\w+)*"),
)
