"""Starting a program by a list of system calls, in a child that has none of our memory: without fork's cost.

A fork copies this process's page tables, and whatever Python then touches in the child is copied page by page: together
they cost more than all that shuts a run in. So the child runs no Python but 154 bytes of machine code, which make one
system call after the other from a table, up to execve; and it gets no memory but that table and what it points to (see
`room`). The kernel lets us go on when the program is there, or the child has ended (CLONE_VFORK); what failed stands in
a page that both have.

A child that does not exec but goes on in Python (a warm run) is a fork of all of us. It makes the same calls, first of
all: the C library calls the code in the child (pthread_atfork(3)).

Only for x86_64; elsewhere, and where memory may not be made executable, `Launcher` raises OSError and the zygote forks.
"""

import ctypes
import os
import struct

from judge.sandbox import kernel
from judge.sandbox.arena import Arena, keep_from_children, pages

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

# What the C library calls in the child of a fork. Assembled from:
#          mov rax, FLAG; cmp dword ptr [rax], 0; je 1f; mov rdi, TABLE; mov rsi, RESULT
#          xor edx, edx; xor ecx, ecx; mov rax, CODE; jmp rax; 1: ret
_AFTER_FORK = "48b8%s833800742448bf%s48be%s31d231c948b8%sffe0c3"
_AFTER_FORK_AT = 256  # behind the code above

_CLONE_VFORK, _SIGCHLD = 0x4000, 17
_READ, _EXECUTE = 1, 4
_SHARED, _PRIVATE = 1, 2
_PAGE = 4096
_ENTRY = 64  # bytes: number, six arguments, the result that is expected or 0
_MOST = 48
_STORE, _BACK = -1, -2  # numbers with another meaning to the code
_FLAG = 16  # bytes that are set aside for one number
_CPUTIME = 2  # CLOCK_PROCESS_CPUTIME_ID
_CLOCK_AT, _PID_AT, _RESULT = 16, 32, 40  # of the result: behind the entry that failed and its error; its size
_STACK = 1 << 16  # the code uses none of it; a signal would

STORE = "store"  # no call: writes the low 32 bits of the last result to the address that is its argument

Step = tuple[str, tuple[int, ...], int]
"""A system call by its name, its arguments, and the result that it must have (0: any that is no error)."""


class Launcher:
    """Makes system calls in a new process; one at a time.

    Raises:
        OSError: this machine does not allow it.
    """

    def __init__(self) -> None:
        if not kernel.IS_X86_64:
            raise OSError(38, "no machine code for this architecture")
        self._code = pages(_PAGE, _PRIVATE)
        self._room = Arena(_ENTRY * _MOST + _FLAG + _STACK)
        self._start = self._room.reserve(_ENTRY * _MOST)
        self._table = (ctypes.c_char * (_ENTRY * _MOST)).from_address(self._start)
        self._is_for_fork = ctypes.c_uint32.from_address(self._room.reserve(_FLAG))
        self._top = self._room.reserve(_STACK) + _STACK
        self._result = pages(_PAGE, _SHARED)
        self._names: list[str] = []
        self._loaded: list[Step] | None = None
        self._write_code()
        signature = ctypes.PYFUNCTYPE(ctypes.c_long, *[ctypes.c_void_p] * 3, ctypes.c_long)  # keeps the GIL
        self._call = signature(self._code)

    def _write_code(self) -> None:
        addresses = (ctypes.addressof(self._is_for_fork), self._start, self._result, self._code)
        after_fork = bytes.fromhex(_AFTER_FORK % tuple(struct.pack("=Q", each).hex() for each in addresses))
        ctypes.memmove(self._code, _CODE, len(_CODE))
        ctypes.memmove(self._code + _AFTER_FORK_AT, after_fork, len(after_fork))
        result = kernel.LIBC.mprotect(ctypes.c_void_p(self._code), ctypes.c_size_t(_PAGE), _READ | _EXECUTE)
        kernel.checked(result, "mprotect")

    def seclude(self, rooms: "list[Arena]") -> None:
        """Let children have only what `launch` needs, which includes these rooms. From now on nothing else may fork."""
        keep_from_children([self._code, self._result, self._start, *(room.start for room in rooms)])

    def launch(self, steps: "list[Step]") -> "tuple[int, str, int]":
        """Make a process that makes these calls, the last of them execve.

        Returns:
            (pid, name of the step that failed or "", its error number). Failed or not, the process is to be waited for.

        Raises:
            OSError: no process could be made.
        """
        self.load(steps)
        pid = self._call(self._start, self._result, self._top, _CLONE_VFORK | _SIGCHLD)
        if pid < 0:
            raise OSError(-pid, f"clone: {os.strerror(-pid)}")
        return (pid, *self.failure())

    def prepare_forks(self) -> None:
        """Be called by the C library in the child of every fork: before Python, which copies each page that it touches.

        Raises:
            OSError: it has no such thing.
        """
        register = getattr(kernel.LIBC, "__register_atfork", None)  # pthread_atfork(3) is a macro around it
        if register is None or register(None, None, ctypes.c_void_p(self._code + _AFTER_FORK_AT), None) != 0:
            raise OSError(38, "the C library does not tell of forks")

    def last_steps(self) -> "list[Step]":
        """Return what stands at the end of the calls for `fork`: note the CPU time, and share no memory any more.

        What runs afterwards must not be able to forge a failure; nor are its own forks any of ours.
        """
        return [
            ("clock_gettime", (_CPUTIME, self._result + _CLOCK_AT), 0),
            ("getpid", (), 0),
            (STORE, (self._result + _PID_AT,), 0),
            ("munmap", (self._result, _PAGE), 0),
            (STORE, (ctypes.addressof(self._is_for_fork),), 0),
        ]

    def fork(self, steps: "list[Step]") -> int:
        """Fork; the child has made these calls when it goes on. Where one fails, it ends; see `failure` and `cpu`.

        Returns:
            The child's pid; 0 in the child.

        Raises:
            OSError: no process could be made.
        """
        self.load(steps)
        self._is_for_fork.value = 1
        try:
            pid = os.fork()
        except OSError:
            self._is_for_fork.value = 0
            raise
        if pid:
            self._is_for_fork.value = 0
        return pid

    def load(self, steps: "list[Step]") -> None:
        """Write calls into the table."""
        ctypes.memset(self._result, 0, _RESULT)
        if steps is self._loaded:
            return
        assert len(steps) < _MOST
        self._loaded = steps
        self._names = [name for name, _, _ in steps]
        for at, (name, arguments, expected) in enumerate(steps):
            number = _STORE if name == STORE else kernel.number(name)
            words = (number, *arguments, 0, 0, 0, 0, 0, 0)
            struct.pack_into("=q6QQ", self._table, at * _ENTRY, *words[:7], expected)
        struct.pack_into("=q", self._table, len(steps) * _ENTRY, _BACK)

    def failure(self) -> "tuple[str, int]":
        """Return the name of the call that failed, "" if none did, and its error number."""
        at, code = struct.unpack("=Qq", ctypes.string_at(self._result, 16))
        return (self._names[(at - self._start) // _ENTRY], max(0, -code)) if at else ("", 0)

    def has_left(self) -> bool:
        """Return whether the child of `fork` has made all its calls."""
        return ctypes.c_uint32.from_address(self._result + _PID_AT).value != 0

    def cpu(self) -> float:
        """Return how many seconds of CPU time the child of `fork` took for its calls."""
        seconds, nanoseconds = struct.unpack("=qq", ctypes.string_at(self._result + _CLOCK_AT, 16))
        return float(seconds + nanoseconds / 1e9)


def take(steps: "list[Step]") -> None:
    """Make these calls in this process.

    Raises:
        OSError: one failed; `filename` is its name.
    """
    last = 0
    for name, arguments, expected in steps:
        if name == STORE:
            ctypes.c_uint32.from_address(arguments[0]).value = last
            continue
        last = kernel.LIBC.syscall(kernel.number(name), *map(ctypes.c_ulong, arguments))
        if last < 0 or (expected and last != expected):
            raise OSError(ctypes.get_errno() if last < 0 else 3, "failed", name)
