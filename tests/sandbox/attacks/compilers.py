"""Attacks on the compiler: sources that read other files or never end, and hostile compilers.

A compiler may write only into its work folder. At `landlock`, it can change the modes and times of its user's other
files, because landlock does not cover them.
"""

from tests.sandbox.attacks import MEMORY, OUTPUT, TIME, WALL, Attack, everywhere, stopped

_ERROR = "exit [14]: .*"
_LIMIT = f"{TIME}|{WALL}|{MEMORY}|{OUTPUT}|{_ERROR}"

# C text; @ANSWER@ stands for the path of the answer, which must not appear in messages
SOURCES = (
    stopped("include the answer", '#include "@ANSWER@"\n', _ERROR),
    stopped("embed the answer", 'asm(".incbin \\"@ANSWER@\\"");\nint main() {}\n', _ERROR),
    stopped("include a list of users", "#include </etc/passwd>\n", _ERROR),
    everywhere("include random bytes for ever", '#include "/dev/urandom"\n', _LIMIT, cpu=1.0, wall=2.0, memory=256),
    everywhere(
        "include itself for ever", "#include __FILE__\n#include __FILE__\n", _LIMIT, cpu=1.0, wall=2.0, memory=256
    ),
    everywhere("a program of a gigabyte", "char x[1 << 30] = {1};\nint main() {}\n", _LIMIT, cpu=2.0, memory=256),
    everywhere(
        "a macro that doubles forty times",
        "".join(f"#define M{n + 1} M{n} M{n}\n" for n in range(40)) + "#define M0 x;\nM40\n",
        _LIMIT,
        cpu=1.0,
        wall=2.0,
        memory=256,
    ),
)

_NO_FALLOCATE = r"|exit 1: .*\[Errno 95\].*"  # EOPNOTSUPP: some file systems do not preallocate


def _hostile(name: str, source: str, expected: str, **others: str) -> Attack:
    name = f"as a compiler: {name}"
    return Attack(name=name, source=source, full=expected, landlock=expected, may_fork=True, **others)  # type: ignore[arg-type]


# Python text; they run in a writable work folder
ATTACKS = (
    _hostile("write into its work folder", "attempt(lambda: open('x', 'w').write('x'))", "done", limits="done"),
    _hostile(
        "write beside it", "attempt(lambda: open('../x', 'w'), lambda: os.mkdir('../x'))", "(refused E\\w+(, )?)+"
    ),
    _hostile(
        "write over files",
        "attempt(*[lambda p=p: open(p, 'r+b') for p in (ANSWER, OTHER, JUDGE_FILE, '/usr/bin/env')])",
        "(refused E\\w+(, )?)+",
    ),
    _hostile(
        "cut, remove and rename files",
        "attempt(*[lambda p=p, f=f: f(p) for p in (ANSWER, OTHER, JUDGE_FILE)\n"
        "    for f in (os.unlink, lambda p: os.truncate(p, 0), lambda p: os.rename(p, 'x'))])",
        "(refused E\\w+(, )?)+",
    ),
    _hostile(
        "link files into its work folder",
        "attempt(*[lambda p=p: os.link(p, 'x') for p in (ANSWER, OTHER, JUDGE_FILE)])",
        "(refused E\\w+(, )?)+",
    ),
    _hostile(
        "read through a link in its work folder",
        "os.symlink(ANSWER, 'x')\nattempt(lambda: open('x').read(), lambda: os.truncate('x', 0))",
        "(refused E\\w+(, )?)+",
    ),
    _hostile(
        "move its work folder away", "attempt(lambda: os.rename(os.getcwd(), os.getcwd() + 'x'))", "refused E\\w+"
    ),
    _hostile(
        "pipes, sockets and devices in its work folder",
        "attempt(lambda: os.mkfifo('p'), lambda: os.mknod('d', 0o20666, os.makedev(1, 1)),\n"
        "    lambda: socket.socket(socket.AF_UNIX).bind('s'))",
        "refused EPERM",
    ),
    _hostile(
        "one huge file",
        "attempt(lambda: open('x', 'wb').truncate(1 << 40))",
        "signal 25|refused EFBIG",
        limits="signal 25|refused EFBIG",
    ),
    _hostile(
        "many files, none too large",
        "for n in range(60):\n    open(f'x{n}', 'wb').write(bytes(1 << 20))\ntime.sleep(9)",
        OUTPUT,
        limits=OUTPUT,
    ),
    _hostile(
        "many files at once, and an end before anybody looks",
        "for n in range(17):\n    open(f'x{n}', 'wb').truncate(1 << 20)",
        OUTPUT,
        limits=OUTPUT,
    ),
    _hostile(
        "very many empty files, each in a folder",
        "for n in range(5000):\n    os.mkdir(f'd{n}')\n    open(f'd{n}/x', 'w').close()\ntime.sleep(9)",
        OUTPUT,
        limits=OUTPUT,
    ),
    _hostile(
        "files that are removed and held open",
        "held = []\nfor n in range(60):\n    held.append(open('x', 'wb'))\n    held[-1].write(bytes(1 << 20))\n"
        "    held[-1].flush()\n    os.unlink('x')\ntime.sleep(9)",
        OUTPUT,
        limits=OUTPUT,
    ),
    _hostile(
        "buffers of sockets in many children",
        "for n in range(8):\n"
        "    if os.fork() == 0:\n"
        "        for s in sum([socket.socketpair() for _ in range(60)], ()):\n"
        "            kept = s.detach()\n"
        "            os.set_blocking(kept, False)\n"
        "            try:\n"
        "                while True: os.write(kept, bytes(1 << 16))\n"
        "            except BlockingIOError: pass\n"
        "        time.sleep(60)\n"
        "time.sleep(60)",
        MEMORY,
        limits=MEMORY,
    ),
    _hostile(
        "blocks beyond the ends of files",
        "for n in range(9):\n    f = os.open(f'x{n}', os.O_CREAT | os.O_WRONLY)\n"
        "    checked(LIBC.fallocate(f, 1, ctypes.c_long(0), ctypes.c_long(4 << 20)))  # FALLOC_FL_KEEP_SIZE",
        OUTPUT + _NO_FALLOCATE,
        limits=OUTPUT + _NO_FALLOCATE,
    ),
    _hostile(
        "blocks beyond the end of a file that is removed and held open",
        "f = os.open('x', os.O_CREAT | os.O_WRONLY)\nos.unlink('x')\n"
        "for n in range(5):\n    checked(LIBC.fallocate(f, 1, ctypes.c_long(n << 22), ctypes.c_long(4 << 20)))\n"
        "time.sleep(9)",
        OUTPUT + _NO_FALLOCATE,
        limits=OUTPUT + _NO_FALLOCATE,
    ),
    _hostile(
        "files deeper than a path can name",
        "for n in range(40):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)\nopen('x', 'w').close()",
        OUTPUT,
        limits=OUTPUT,
    ),
    _hostile(
        "as much as is allowed",
        "for n in range(3):\n    open(f'x{n}', 'wb').write(bytes(4 << 20))\nattempt(lambda: None)",
        "done",
        limits="done",
    ),
    _hostile(
        "a program that is run as root",
        "open('x', 'w').write('#!/bin/sh\\n')\nattempt(lambda: os.chmod('x', 0o6777), lambda: os.chown('x', 0, 0))",
        "done, refused EPERM|refused EPERM",
    ),
)
