"""Attacks on files: reading what is not the program's, and changing anything at all."""

from tests.sandbox.attacks import CLOSED, NOT_STOPPED, REFUSED, Attack, everywhere, stopped

_ABSENT, _LOCKED = "refused ENOENT", "refused EACCES"


def _reading(name: str, path: str, *, limits: str = "done") -> Attack:
    source = f"attempt(lambda: open({path}, 'rb').read(1))"
    return Attack(name=f"read {name}", source=source, full=CLOSED, landlock=CLOSED, limits=limits)


def _changing(name: str, action: str) -> Attack:
    source = f"attempt(*[lambda p=p: {action} for p in (ANSWER, OTHER, JUDGE_FILE, '/usr/bin/env')])"
    return stopped(name, source, r"refused \w+(, refused \w+)*")


ATTACKS = (
    _reading("the answer", "ANSWER"),
    _reading("another solution", "OTHER"),
    _reading("the judge's source", "JUDGE_FILE"),
    _reading("/etc/passwd", "'/etc/passwd'"),
    _reading("the environment of process 1", "'/proc/1/environ'", limits=".*"),
    _reading("the environment of the zygote", "f'/proc/{PARENT}/environ'"),
    _reading("the memory of the zygote", "f'/proc/{PARENT}/mem'", limits=".*"),
    _reading("the answer through the root of the zygote", "f'/proc/{PARENT}/root{ANSWER}'"),
    _reading("the answer through the folder of the zygote", "f'/proc/{PARENT}/cwd{ANSWER}'", limits=".*"),
    _reading("the answer by climbing", "'../' * 40 + ANSWER[1:]"),
    _reading("the kernel's memory", "'/proc/kcore'", limits=".*"),
    _reading("the kernel's log", "'/dev/kmsg'", limits=NOT_STOPPED),
    _reading("the terminal", "'/dev/tty'", limits="refused .*"),
    _reading("the socket of the zygote", "f'/proc/{PARENT}/fd/3'", limits="refused .*"),
    stopped(
        "list what others have",
        "folders = ('/home', '/root', os.path.dirname(ANSWER), f'/proc/{JUDGE}/fd')\n"
        "attempt(*[lambda p=p: os.listdir(p) for p in folders])",
        r"refused \w+(, refused \w+)*",
    ),
    stopped(
        "list projects that stand among the system's files",
        "attempt(lambda: os.listdir('/usr/src'), lambda: os.listdir('/usr/local/src'))",
        r"refused \w+(, refused \w+)*",
    ),
    stopped(
        "open the answer as a place only and again by its number",
        "attempt(lambda: open(f'/proc/self/fd/{os.open(ANSWER, os.O_PATH)}').read(1))",
        CLOSED,
    ),
    stopped(
        "open the answer from its folder",
        "attempt(lambda: (os.chdir(os.path.dirname(ANSWER)), open(os.path.basename(ANSWER)).read(1)))",
        CLOSED,
    ),
    stopped(
        "run the answer as a program",
        "attempt(lambda: os.execve(os.open(ANSWER, os.O_PATH), ['x'], {}))",
        CLOSED,
    ),
    stopped(
        "write where every user may",
        "folders = ('/tmp', '/var/tmp', '/dev/shm', '/run/lock', '/var/lock', '/dev/mqueue')\n"
        "attempt(*[lambda f=f: open(f'{f}/{MARK}', 'w') for f in folders])",
        "(refused (EACCES|ENOENT|EROFS)(, )?)+",
    ),
    Attack(
        name="leave files in its folder",
        source="attempt(lambda: open(MARK, 'w').write('x'), lambda: os.mkdir(MARK + '-folder'))",
        full="(refused (EROFS|EACCES|EPERM)(, )?)+",
        landlock="refused EACCES, refused EPERM",
        limits="done",
    ),
    Attack(
        name="fill the disk",
        source="attempt(lambda: [open(f'{MARK}{n}', 'wb').write(bytes(1 << 20)) for n in range(64)])",
        full="refused (EROFS|EACCES)",
        landlock="refused EACCES",
        limits="done",
    ),
    Attack(
        name="a file of a terabyte that takes no place",
        source="attempt(lambda: open(MARK, 'wb').truncate(1 << 40))",
        full="refused (EROFS|EACCES)",
        landlock="refused EACCES",
        limits="signal 25|refused EFBIG",
    ),
    _changing("write over files", "open(p, 'r+b')"),
    _changing("truncate files", "os.truncate(p, 0)"),
    _changing("remove files", "os.unlink(p)"),
    _changing("rename files", "os.rename(p, p + MARK)"),
    _changing("change modes", "os.chmod(p, 0o777)"),
    _changing("change times", "os.utime(p, (0, 0))"),
    _changing("change owners", "os.chown(p, os.getuid(), os.getgid())"),
    _changing("change attributes", "os.setxattr(p, 'user.x', b'x')"),
    _changing("link files here", "os.link(p, MARK)"),
    _changing("link files here by name", "os.symlink(p, MARK)"),
    _changing("make files beside others", "open(p + MARK, 'w')"),
    stopped("make a pipe with a name", "attempt(lambda: os.mkfifo('/tmp/' + MARK))"),
    stopped("make a device", "attempt(lambda: os.mknod(MARK, 0o20666, os.makedev(1, 1)))"),
    stopped("lock files", "import fcntl\nattempt(lambda: fcntl.flock(0, 2), lambda: fcntl.lockf(0, 1))"),
    stopped(
        "leases, owners, signals of descriptors",
        "import fcntl\n"
        "r, w = os.pipe()\n"
        "attempt(\n"
        "    lambda: fcntl.fcntl(0, fcntl.F_SETLEASE, fcntl.F_RDLCK),\n"
        "    lambda: fcntl.fcntl(r, fcntl.F_SETOWN, PARENT),\n"
        "    lambda: fcntl.fcntl(r, 10, signal.SIGKILL),  # F_SETSIG\n"
        "    lambda: fcntl.fcntl(r, 15, bytes(8)),  # F_SETOWN_EX\n"
        "    lambda: fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC),\n"
        "    lambda: fcntl.fcntl(0, fcntl.F_NOTIFY, 1),\n"
        ")",
    ),
    stopped(
        "terminals' and sockets' requests",
        "import fcntl\n"
        "r, w = socket.socketpair()\n"
        "# TIOCSTI, TIOCSCTTY, TIOCLINUX, FIOASYNC, FIOSETOWN, SIOCSPGRP, SIOCGIFCONF; the same with a high word\n"
        "requests = (0x5412, 0x540E, 0x541C, 0x5452, 0x8901, 0x8902, 0x8912)\n"
        "attempt(*[lambda q=q, f=f: fcntl.ioctl(f, q, bytes(64)) for q in requests for f in (0, r.fileno())])",
        "refused ENOTTY",
    ),
    stopped(
        "write, cut and seal the input",
        "import fcntl\n"
        "attempt(\n"
        "    lambda: os.write(os.open('/proc/self/fd/0', os.O_RDWR), b'x'),\n"
        "    lambda: os.open('/proc/self/fd/0', os.O_RDWR | os.O_TRUNC),\n"
        "    lambda: os.ftruncate(os.open('/proc/self/fd/0', os.O_RDWR), 1 << 20),\n"
        "    lambda: os.ftruncate(0, 0),\n"
        "    lambda: os.write(0, b'x'),\n"
        "    lambda: fcntl.fcntl(0, 1033, 0),\n"
        ")",
        "(refused (EBADF|EINVAL|EPERM)(, )?)+",
        stdin=b"the input",
    ),
    everywhere(
        "find inherited descriptors",
        "print([n for n in range(3, 4096) if LIBC.fcntl(n, 1) != -1])",
        r"\[\]",
    ),
    stopped(
        "watch files", "attempt(lambda: checked(LIBC.inotify_init1(0)), lambda: checked(LIBC.fanotify_init(0, 0)))"
    ),
    stopped(
        "memory files",
        "attempt(lambda: os.memfd_create('x'), lambda: checked(LIBC.syscall(447, 0)))",
        "refused (EPERM|ENOSYS)(, refused ENOSYS)?",
    ),
    Attack(
        name="write the memory of the program itself",
        source="attempt(lambda: open('/proc/self/mem', 'r+b'))",
        full=_LOCKED,
        landlock=_LOCKED,
        limits="done",
    ),
    Attack(
        name="escape the kernel's choice when memory is short",
        source="attempt(lambda: open('/proc/self/oom_score_adj', 'w').write('-1000'))",
        full=_LOCKED,
        landlock=_LOCKED,
    ),
    Attack(
        name="settings of the kernel",
        source="attempt(lambda: open('/proc/sys/vm/drop_caches', 'w'))",
        full=CLOSED,
        landlock=_LOCKED,
    ),
    stopped("read other files by handles", expected=REFUSED),
)
