"""Starting a program by a list of system calls, in a child that has none of our memory: without fork's cost.

A fork copies this process's page tables, and whatever Python then touches in the child is copied page by page: together
they cost more than all that shuts a run in. So the child runs no Python but 154 bytes of machine code, which make one
system call after the other from a table, up to execve; and it gets no memory but that table and what it points to (see
`room`). The kernel lets us go on when the program is there, or the child has ended (CLONE_VFORK); what failed stands in
a page that both have.

Only for x86_64; elsewhere, and where memory may not be made executable, `Launcher` raises OSError and the zygote forks.
"""

import ctypes
import os
import struct

from judge.sandbox import kernel
from judge.sandbox.room import Room, keep_from_children, pages

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

_CLONE_VFORK, _SIGCHLD = 0x4000, 17
_READ, _EXECUTE = 1, 4
_SHARED, _PRIVATE = 1, 2
_PAGE = 4096
_ENTRY = 64  # bytes: number, six arguments, the result that is expected or 0
_MOST = 48
_STORE, _BACK = -1, -2  # numbers with another meaning to the code
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
        ctypes.memmove(self._code, _CODE, len(_CODE))
        result = kernel.LIBC.mprotect(ctypes.c_void_p(self._code), ctypes.c_size_t(_PAGE), _READ | _EXECUTE)
        kernel.checked(result, "mprotect")
        signature = ctypes.PYFUNCTYPE(ctypes.c_long, *[ctypes.c_void_p] * 3, ctypes.c_long)  # keeps the GIL
        self._call = signature(self._code)
        self._room = Room(_ENTRY * _MOST + _STACK)
        self._start = self._room.reserve(_ENTRY * _MOST)
        self._table = (ctypes.c_char * (_ENTRY * _MOST)).from_address(self._start)
        self._top = self._room.reserve(_STACK) + _STACK
        self._result = pages(_PAGE, _SHARED)
        self._names: list[str] = []
        self._loaded: list[Step] | None = None

    def seclude(self, rooms: "list[Room]") -> None:
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

    def load(self, steps: "list[Step]") -> None:
        """Take calls for `here`."""
        ctypes.memset(self._result, 0, 16)
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

    def here(self) -> None:
        """Make the calls in this process, a child of the one that loaded them; where one fails, the process ends.

        Afterwards the two share no memory: what runs here from now on must not be able to forge a failure.
        """
        self._call(self._start, self._result, self._top, 0)
        result = kernel.LIBC.munmap(ctypes.c_void_p(self._result), ctypes.c_size_t(_PAGE))
        kernel.checked(result, "munmap")

    def failure(self) -> "tuple[str, int]":
        """Return the name of the call that failed, "" if none did, and its error number."""
        at, code = struct.unpack("=Qq", ctypes.string_at(self._result, 16))
        return (self._names[(at - self._start) // _ENTRY], max(0, -code)) if at else ("", 0)


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
