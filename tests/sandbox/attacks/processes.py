"""Attacks on processes: making many, hiding them, and disturbing those of others."""

from tests.sandbox.attacks import MEMORY, REFUSED, TIME, WALL, Attack, everywhere, stopped

_FORGET = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
_SIGNALS = (
    "KILL",
    "ABRT",
    "SEGV",
    "SYS",
    "XCPU",
    "XFSZ",
    "ALRM",
    "PROF",
    "VTALRM",
    "IO",
    "TRAP",
    "TERM",
    "USR1",
    "PWR",
)
_LAST_REALTIME = 64

ATTACKS = (
    Attack(
        name="a fork bomb",
        source="def bomb(depth):\n"
        "  for _ in range(3):\n"
        "    if depth and os.fork() == 0: bomb(depth - 1); time.sleep(60)\n"
        "attempt(lambda: bomb(4))\n"
        "time.sleep(60)",
        full=WALL,
        landlock=WALL,
        limits=WALL,
        wall=0.5,
        memory=1024,
        may_fork=True,
    ),
    stopped("fork", "attempt(os.fork, os.forkpty)", "(refused (EPERM|EACCES|ENOENT)(, )?)+"),
    stopped("make processes in other ways", expected=REFUSED),
    stopped(
        "start a shell",
        "import subprocess\nattempt(lambda: subprocess.run(['/bin/sh', '-c', 'id'], check=True))",
    ),
    everywhere("become a shell", "os.execv('/bin/sh', ['sh', '-c', 'echo a shell'])", "a shell"),
    stopped(
        "become a shell that reads the answer",
        "os.execv('/bin/sh', ['sh', '-c', 'read line < \"$0\" && echo done', ANSWER])",
        "exit [12]: .*",
    ),
    Attack(
        name="memory of many children",
        source="for _ in range(8):\n  if os.fork() == 0: x = b'x' * (30 << 20); time.sleep(60)\ntime.sleep(60)",
        full=MEMORY,
        landlock=MEMORY,
        limits=MEMORY,
        may_fork=True,
    ),
    everywhere("memory of the children that come last of a thousand", expected=MEMORY, memory=256, may_fork=True),
    everywhere(
        "an orphan in its own session",
        "if os.fork() == 0:\n"
        "  os.setsid()\n"
        "  if os.fork() == 0: time.sleep(60)\n"
        "  os._exit(0)\n"
        "os.wait()\nprint('done')",
        may_fork=True,
    ),
    everywhere(
        "orphans that fork and end all the time",
        "if os.fork() == 0:\n"
        "  os.setsid()\n"
        "  end = time.monotonic() + 3\n"
        "  while time.monotonic() < end and os.fork() == 0: os.setsid() if os.getpid() != os.getsid(0) else 0\n"
        "  os._exit(0)\n"
        "time.sleep(0.05)\nprint('done')",
        may_fork=True,
    ),
    everywhere(
        "time of an orphan",
        "if os.fork() == 0:\n  if os.fork() == 0:\n    while True: pass\n  os._exit(0)\nos.wait(); time.sleep(60)",
        TIME,
        cpu=0.3,
        may_fork=True,
    ),
    everywhere(
        "time of a child that no process waits for",
        _FORGET + "if os.fork() == 0:\n  while True: pass\ntime.sleep(60)",
        TIME,
        cpu=0.3,
        may_fork=True,
    ),
    everywhere(
        "time of a child that spins until its parent has ended",
        _FORGET + "if os.fork() == 0:\n"
        "  end = time.process_time() + 0.2\n"
        "  while time.process_time() < end: pass\n"
        "  os._exit(0)\n"
        "time.sleep(60)",
        WALL,
        wall=0.6,
        may_fork=True,
    ),
    everywhere("stop itself", "os.kill(os.getpid(), signal.SIGSTOP)", WALL, wall=0.4),
    stopped("stop the zygote", "attempt(lambda: os.kill(PARENT, signal.SIGSTOP))"),
    stopped(
        "end the zygote", "attempt(lambda: os.kill(PARENT, signal.SIGKILL), lambda: os.kill(PARENT, signal.SIGINT))"
    ),
    Attack(
        name="end the zygote, as a compiler",
        source="attempt(lambda: os.kill(PARENT, signal.SIGKILL), lambda: os.kill(PARENT, signal.SIGINT))",
        full="done|refused EPERM",
        landlock=REFUSED,
        may_fork=True,
    ),
    stopped("kill every process", "attempt(lambda: os.kill(-1, signal.SIGKILL))"),
    Attack(
        name="kill every process, as a compiler",
        source="signal.signal(signal.SIGTERM, signal.SIG_IGN)\nattempt(lambda: os.kill(-1, signal.SIGTERM))",
        full="done|refused .*",
        landlock="done|refused .*",
        may_fork=True,
    ),
    stopped("end the judge", "attempt(lambda: os.kill(JUDGE, signal.SIGKILL))"),
    stopped("end the judge's group", "attempt(lambda: os.killpg(JUDGE, signal.SIGKILL))"),
    stopped("signal others in other ways", expected=REFUSED),
    stopped("hold others' processes", "attempt(lambda: os.pidfd_open(PARENT), lambda: os.pidfd_open(os.getpid()))"),
    stopped("trace, read and write the zygote", expected=REFUSED),
    stopped(
        "limits of others",
        "import resource\nattempt(*[lambda p=p: resource.prlimit(p, 7, (1, 1)) for p in (PARENT, JUDGE)])",
    ),
    stopped(
        "raise its limits",
        "import resource\n"
        "def more(which):\n"
        "  hard = resource.getrlimit(which)[1]\n"
        "  resource.setrlimit(which, (hard + 1, hard + 1))\n"
        "try: [more(which) for which in (0, 1, 4, 7, 8)]; print('done')\n"
        "except ValueError: print('refused')",
        "refused",
    ),
    stopped(
        "processors and priorities",
        "attempt(\n"
        "    lambda: os.sched_setaffinity(0, range(os.cpu_count())),\n"
        "    lambda: os.sched_setaffinity(PARENT, [0]),\n"
        "    lambda: os.nice(-5),\n"
        "    lambda: os.nice(5),\n"
        "    lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 19),\n"
        "    lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),\n"
        "    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),\n"
        "    lambda: os.sched_setparam(0, os.sched_param(0)),\n"
        ")",
    ),
    stopped(
        "groups and sessions",
        "attempt(os.setsid, lambda: os.setpgid(0, PARENT), lambda: os.setpgid(0, 0))",
    ),
    stopped(
        "other users",
        "attempt(lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgid(0), lambda: os.setgroups([0]))",
    ),
    everywhere("no new privileges by what it becomes", "print(LIBC.prctl(39, 0, 0, 0, 0))", "1"),
    everywhere(
        "a set-user-id program",
        "os.execv('/bin/sh', ['sh', '-c', 'exec su -c \"id -u\" nobody < /dev/null'])",
        "exit [1-9].*|signal .*|[0-9]+",
    ),
    stopped("capabilities that come back to root", expected="0 0 0"),
    stopped(
        "settings of the process",
        "# parent's death, dumpable, subreaper, seccomp, ptracer, speculation, memory's map, merging, core scheduling\n"
        "options = ((1, 0), (4, 1), (36, 1), (22, 2), (0x59616D61, -1), (53, 0), (35, 1), (67, 1), (62, 1), (26, 2))\n"
        "attempt(*[lambda o=o: checked(LIBC.prctl(*o, 0, 0, 0)) for o in options])",
    ),
    stopped(
        "its own filter",
        "attempt(lambda: checked(LIBC.syscall(317 if os.uname().machine == 'x86_64' else 277, 1, 0, 0)))",
    ),
    stopped("another personality", "attempt(lambda: checked(LIBC.personality(0x0040000)))"),
    *(
        everywhere(
            f"SIG{name} to itself",
            f"signal.signal(signal.SIG{name}, signal.SIG_DFL) if '{name}' != 'KILL' else 0\n"
            f"os.kill(os.getpid(), signal.SIG{name}); time.sleep(5)",
            r"signal \d+",
        )
        for name in _SIGNALS
    ),
    everywhere("a real-time signal to itself", "os.kill(os.getpid(), signal.SIGRTMAX)", f"signal {_LAST_REALTIME}"),
    everywhere("signals to its own group", "os.kill(0, signal.SIGTERM); time.sleep(5)", "signal 15"),
    everywhere(
        "an alarm that rings in what it becomes",
        "signal.setitimer(signal.ITIMER_REAL, 0.1)\nos.execv('/bin/sleep', ['sleep', '60'])",
        "signal 14",
    ),
    everywhere(
        "ignore what can be ignored and sleep",
        "for n in set(range(1, 32)) - {9, 19}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
        WALL,
        wall=0.4,
    ),
    everywhere(
        "ignore what can be ignored and spin",
        "for n in set(range(1, 32)) - {9, 19}: signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
        TIME,
        cpu=0.3,
    ),
    everywhere("change its own name and arguments", expected="done"),
    everywhere("dump its memory to a file", "os.chdir('/'); os.abort()", "signal 6"),
)
