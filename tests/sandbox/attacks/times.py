"""Attacks on the time limits: spinning and sleeping in every way."""

from tests.sandbox.attacks import MEMORY, TIME, WALL, everywhere, stopped

ATTACKS = (
    everywhere("spin", "while True: pass", TIME, cpu=0.3),
    everywhere("spin in the kernel", "f = open('/dev/urandom', 'rb', 0)\nwhile True: f.read(1 << 16)", TIME, cpu=0.3),
    everywhere("sleep", "time.sleep(60)", WALL, wall=0.4),
    everywhere("wait for a lock", "l = threading.Lock(); l.acquire(); l.acquire()", WALL, wall=0.4),
    everywhere("wait for a pipe", "os.read(os.pipe()[0], 1)", WALL, wall=0.4),
    everywhere("wait for more input", "sys.stdin.read(); sys.stdin.read(); input()", "exit 1: .*EOFError.*"),
    everywhere("spin in nine hundred threads", expected=TIME, cpu=0.3, tries=3),
    everywhere("spin after the first thread has ended", expected=TIME, cpu=0.3),
    everywhere("sleep after the first thread has ended", expected=WALL, wall=0.4),
    everywhere("sleep while threads wait in a queue", expected=WALL, wall=0.6),
    everywhere(
        "five hundred threads",
        "threading.stack_size(65536)\n"
        "e = threading.Event()\n"
        "all = [threading.Thread(target=e.wait) for _ in range(500)]\n"
        "for t in all: t.start()\n"
        "e.set()\n"
        "print('done')",
    ),
    everywhere("threads without end", expected=f"{WALL}|{MEMORY}", wall=0.5),
    everywhere(
        "numbers that collide",
        "d = {}\nfor n in range(10**6): d[n * (2**61 - 1)] = n",
        TIME,
        cpu=0.3,
    ),
    everywhere("a regular expression that tries everything", "import re\nre.match('(a*)*b', 'a' * 40)", TIME, cpu=0.3),
    everywhere(
        "become itself for ever",
        "os.execv('/bin/sh', ['sh', '-c', 'exec sh -c \"$0\" \"$0\"', 'exec sh -c \"$0\" \"$0\"'])",
        TIME,
        cpu=0.3,
    ),
    everywhere(
        "forget the time by another program",
        "end = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"
        "os.execv('/bin/sh', ['sh', '-c', 'while :; do :; done'])",
        TIME,
        cpu=0.3,
    ),
    everywhere(
        "alarms without end",
        "signal.signal(signal.SIGALRM, lambda *_: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 1e-5, 1e-5)\n"
        "while True: signal.pause()",
        f"{TIME}|{WALL}|signal 11|exit 1.*",
        cpu=0.3,
        wall=0.6,
    ),
    stopped(
        "set the clock",
        "attempt(lambda: time.clock_settime(time.CLOCK_REALTIME, 0), lambda: checked(LIBC.adjtimex(bytes(208))))",
        "refused EPERM",
    ),
    everywhere(
        "lower the limit of CPU time to nothing",
        "import resource\nresource.setrlimit(0, (0, 0))\nwhile True: pass",
        "signal (9|24)",
    ),
)
