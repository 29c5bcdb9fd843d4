"""Starts a program from a list of system calls, in a child that shares none of the zygote's memory.

A fork copies the page tables of the whole interpreter, and every page that Python then touches in the child is copied:
together that costs more than confining the run. So the child runs no Python but 154 bytes of machine code, which make
one system call after another from a table, up to execve. All memory but that table and what it points to is marked with
MADV_DONTFORK (madvise(2)). That makes the fork as cheap as a vfork, gives the child no access to the zygote's memory,
and lets a run's peak memory, which starts at the size of the process that becomes it, start near zero. The kernel
resumes the zygote when the program is loaded or the child has ended (CLONE_VFORK); a failed call is recorded in a page
that both processes share.

A child that continues in Python instead of calling exec (a warm run) is a full fork of the zygote. It makes the same
calls before anything else: the C library runs the code in the child (pthread_atfork(3)).

Only for x86_64. On other architectures, and where memory must not become executable, `Launcher` raises OSError and the
zygote forks.
"""

import ctypes
import os
import struct

from judge.sandbox import kernel

# Assembled from (System V calls: table in rdi, result rsi, stack rdx, clone flags or 0 rcx; the child's pid in rax):
#          push rbx; push r12; push r13; push r14
#          mov rbx, rdi; mov r12, rsi; test rcx, rcx; jz next; mov rdi, rcx; mov rsi, rdx
#          xor edx, edx; xor r10d, r10d; xor r8d, r8d; mov eax, 56 (clone); syscall
#          test rax, rax; jz next
# back:    pop r14; pop r13; pop r12; pop rbx; ret
# next:    mov rax, [rbx]; test rax, rax; js special
#          mov rdi, [rbx+8]; mov rsi, [rbx+16]; mov rdx, [rbx+24]
#          mov r10, [rbx+32]; mov r8, [rbx+40]; mov r9, [rbx+48]; syscall
#          mov r14, rax; cmp rax, -4095; jae failed
#          mov rcx, [rbx+56]; test rcx, rcx; jz ahead; cmp rcx, rax; jne failed
# ahead:   add rbx, 64; jmp next
# special: cmp rax, -1; jne back; mov rcx, [rbx+8]; mov [rcx], r14d; jmp ahead
# failed:  mov [r12], rbx; mov [r12+8], rax; mov edi, 127; mov eax, 231 (exit_group); syscall; hlt
_CODE = bytes.fromhex(
    "534154415541564889fb4989f44885c974224889cf4889d631d24531d24531c0"
    "b8380000000f054885c07408415e415d415c5bc3488b034885c07839488b7b08"
    "488b7310488b53184c8b53204c8b43284c8b4b300f054989c6483d01f0ffff73"
    "23488b4b384885c974054839c175154883c340ebbf4883f8ff75b1488b4b0844"
    "8931ebeb49891c244989442408bf7f000000b8e70000000f05f4"
)

# The C library calls this in the child of a fork. Assembled from:
#          mov rax, FLAG; cmp dword ptr [rax], 0; je 1f; mov rdi, TABLE; mov rsi, RESULT
#          xor edx, edx; xor ecx, ecx; mov rax, CODE; jmp rax; 1: ret
_AFTER_FORK = "48b8%s833800742448bf%s48be%s31d231c948b8%sffe0c3"
_AFTER_FORK_AT = 256  # after the code above

_CLONE_VFORK, _SIGCHLD = 0x4000, 17
_READ, _WRITE, _EXECUTE = 1, 2, 4
_MAP_SHARED, _MAP_PRIVATE, _MAP_ANONYMOUS = 1, 2, 0x20
_MADV_DONTFORK = 10
_ARCH_PRCTL, _ARCH_GET_FS = 158, 0x1003  # x86_64

_ALIGNMENT = 16
_PAGE = 4096
_ENTRY = 64  # bytes: number, six arguments, expected result or 0
_MAX_ENTRIES = 48
_STORE, _BACK = -1, -2  # numbers with a special meaning to the code
_FLAG_SIZE = 16
_CPUTIME = 2  # CLOCK_PROCESS_CPUTIME_ID
# Layout of the result page: address of the failed entry, its error, CPU clock, pid; then its size.
_CLOCK_AT, _PID_AT, _RESULT_SIZE = 16, 32, 40
_STACK_SIZE = 1 << 16  # the code uses no stack; a signal would

STORE = "store"  # not a call: writes the low 32 bits of the last result to the address in its argument

Step = tuple[str, tuple[int, ...], int]
"""A system call: name, arguments, expected result (0: anything but an error)."""


class Arena:
    """A range of memory that is filled from its start.

    Args:
        size: bytes; unused bytes cost nothing.

    Raises:
        OSError: out of memory.
    """

    def __init__(self, size: int) -> None:
        self.start = _map_pages(size, _MAP_PRIVATE)
        self._end = self.start + size
        self._free = self.start

    def reserve(self, size: int) -> int:
        """Return the address of `size` unused bytes with undefined content.

        Raises:
            OSError: the arena is full.
        """
        address, self._free = self._free, self._free + size + -size % _ALIGNMENT
        if self._free > self._end:
            raise OSError(12, f"arena full: {size} more bytes needed")
        return address

    def put(self, data: bytes) -> int:
        """Return the address of a zero-terminated copy of some bytes."""
        address = self.reserve(len(data) + 1)
        ctypes.memmove(address, data + b"\0", len(data) + 1)
        return address

    def clear(self) -> None:
        """Free everything."""
        self._free = self.start

    def save(self) -> bytes:
        """Return what is in it."""
        return ctypes.string_at(self.start, self._free - self.start)

    def restore(self, content: bytes) -> None:
        """Make it contain what `save` returned, at the same addresses."""
        ctypes.memmove(self.start, content, len(content))
        self._free = self.start + len(content)


class Launcher:
    """Starts processes from lists of system calls, one at a time.

    Raises:
        OSError: the machine does not support it.
    """

    def __init__(self) -> None:
        if not kernel.IS_X86_64:
            raise OSError(38, f"no machine code for {kernel.MACHINE}")
        self._code = _map_pages(_PAGE, _MAP_PRIVATE)
        arena = Arena(_ENTRY * _MAX_ENTRIES + _FLAG_SIZE + _STACK_SIZE)
        self._start = arena.reserve(_ENTRY * _MAX_ENTRIES)
        self._is_for_fork = ctypes.c_uint32.from_address(arena.reserve(_FLAG_SIZE))
        self._stack_top = arena.reserve(_STACK_SIZE) + _STACK_SIZE
        self._result = _map_pages(_PAGE, _MAP_SHARED)
        self._loaded: Table | None = None
        self._write_code()
        signature = ctypes.PYFUNCTYPE(ctypes.c_long, *[ctypes.c_void_p] * 3, ctypes.c_long)  # keeps the GIL
        self._call = signature(self._code)

    def _write_code(self) -> None:
        addresses = (ctypes.addressof(self._is_for_fork), self._start, self._result, self._code)
        after_fork = bytes.fromhex(_AFTER_FORK % tuple(struct.pack("=Q", each).hex() for each in addresses))
        ctypes.memmove(self._code, _CODE, len(_CODE))
        ctypes.memmove(self._code + _AFTER_FORK_AT, after_fork, len(after_fork))
        result = kernel.LIBC.mprotect(ctypes.c_void_p(self._code), ctypes.c_size_t(_PAGE), _READ | _EXECUTE)
        kernel.check(result, "mprotect")

    def isolate_memory(self, arenas: "list[Arena]") -> None:
        """Give children only the memory that `launch` needs, and these arenas. Nothing else may fork afterwards."""
        _exclude_from_fork([self._code, self._result, self._start, *(arena.start for arena in arenas)])

    def launch(self, table: "Table") -> "tuple[int, str, int]":
        """Start a process that makes these calls, the last of them execve.

        Returns:
            (pid, name of the call that failed or "", its error number). In both cases the process must be waited for.

        Raises:
            OSError: the process could not be created.
        """
        self._load(table)
        pid = self._call(self._start, self._result, self._stack_top, _CLONE_VFORK | _SIGCHLD)
        if pid < 0:
            raise OSError(-pid, f"clone: {os.strerror(-pid)}")
        return (pid, *self.failure())

    def prepare_forks(self) -> None:
        """Register the code with the C library, which then runs it in the child of every fork, before any Python.

        Raises:
            OSError: the C library does not support it.
        """
        register = getattr(kernel.LIBC, "__register_atfork", None)  # pthread_atfork(3) is a macro around it
        if register is None or register(None, None, ctypes.c_void_p(self._code + _AFTER_FORK_AT), None) != 0:
            raise OSError(38, "the C library has no __register_atfork")

    def final_steps(self) -> "list[Step]":
        """Return the last calls for `fork`: record the CPU time, then unmap the shared page.

        The program must not be able to forge a failure, and its own forks must not run the code.
        """
        return [
            ("clock_gettime", (_CPUTIME, self._result + _CLOCK_AT), 0),
            ("getpid", (), 0),
            (STORE, (self._result + _PID_AT,), 0),
            ("munmap", (self._result, _PAGE), 0),
            (STORE, (ctypes.addressof(self._is_for_fork),), 0),
        ]

    def fork(self, table: "Table") -> int:
        """Fork a child that makes these calls before it continues; it exits if one fails (`failure`, `setup_cpu`).

        Returns:
            The child's pid; 0 in the child.

        Raises:
            OSError: the process could not be created.
        """
        self._load(table)
        self._is_for_fork.value = 1
        try:
            pid = os.fork()
        except OSError:
            self._is_for_fork.value = 0
            raise
        if pid:
            self._is_for_fork.value = 0
        return pid

    def _load(self, table: "Table") -> None:
        """Write calls to where the code reads them."""
        ctypes.memset(self._result, 0, _RESULT_SIZE)
        if table is not self._loaded:
            ctypes.memmove(self._start, table.data, len(table.data))
            self._loaded = table

    def failure(self) -> "tuple[str, int]":
        """Return the name of the call that failed, or "", and its error number."""
        at, code = struct.unpack("=Qq", ctypes.string_at(self._result, 16))
        if not at or self._loaded is None:
            return "", 0
        return self._loaded.names[(at - self._start) // _ENTRY], max(0, -code)

    def is_set_up(self) -> bool:
        """Return whether the child of `fork` has made all its calls."""
        return ctypes.c_uint32.from_address(self._result + _PID_AT).value != 0

    def setup_cpu(self) -> float:
        """Return the CPU time in seconds that the child of `fork` needed for its calls."""
        seconds, nanoseconds = struct.unpack("=qq", ctypes.string_at(self._result + _CLOCK_AT, 16))
        return float(seconds + nanoseconds / 1e9)


class Table:
    """System calls in the form that the code reads."""

    def __init__(self, steps: "list[Step]") -> None:
        assert len(steps) < _MAX_ENTRIES
        self.names = [name for name, _, _ in steps]
        entries = []
        for name, arguments, expected in steps:
            number = _STORE if name == STORE else kernel.syscall_number(name)
            words = (number, *arguments, 0, 0, 0, 0, 0, 0)
            entries.append(struct.pack("=q6QQ", *words[:7], expected))
        self.data = b"".join(entries) + struct.pack("=q", _BACK)


def make_calls(steps: "list[Step]") -> None:
    """Make these calls in this process.

    Raises:
        OSError: a call failed; `filename` is its name.
    """
    last = 0
    for name, arguments, expected in steps:
        if name == STORE:
            ctypes.c_uint32.from_address(arguments[0]).value = last
            continue
        last = kernel.LIBC.syscall(kernel.syscall_number(name), *map(ctypes.c_ulong, arguments))
        if last < 0 or (expected and last != expected):
            raise OSError(ctypes.get_errno() if last < 0 else 3, "failed", name)


def _map_pages(size: int, kind: int) -> int:
    """Return the address of new anonymous memory, private or shared with children."""
    mmap = kernel.LIBC.mmap
    mmap.restype = ctypes.c_void_p
    address: int | None = mmap(None, ctypes.c_size_t(size), _READ | _WRITE, kind | _MAP_ANONYMOUS, -1, ctypes.c_long(0))
    if address is None or address == ctypes.c_void_p(-1).value:
        raise OSError(12, "out of memory in the process that starts the runs")
    return address


def _exclude_from_fork(kept: "list[int]") -> None:
    """Give children only the memory ranges that contain these addresses. They must not run Python.

    The kernel writes to a thread's area for restartable sequences (rseq(2)) when it resumes the thread, and kills a
    thread without one, so children keep it. x86_64 only.
    """
    pointer = ctypes.c_ulong()
    kernel.check(kernel.LIBC.syscall(_ARCH_PRCTL, _ARCH_GET_FS, ctypes.byref(pointer)), "arch_prctl")
    kept = [*kept, pointer.value, pointer.value + _rseq_offset()]
    fd = os.open("/proc/self/maps", os.O_RDONLY | os.O_CLOEXEC)
    parts = []
    while part := os.read(fd, 1 << 16):
        parts.append(part)
    os.close(fd)
    for line in b"".join(parts).splitlines():
        start, end = (int(word, 16) for word in line.split(b" ", 1)[0].split(b"-"))
        if not any(start <= address < end for address in kept):
            # fails for the kernel's own pages, which a child has anyway
            kernel.LIBC.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_DONTFORK)


def _rseq_offset() -> int:
    try:
        return ctypes.c_ssize_t.in_dll(kernel.LIBC, "__rseq_offset").value
    except ValueError:  # the C library does not register rseq
        return 0
