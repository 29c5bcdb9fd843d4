"""Attacks on what is read from a run: too much, nothing, or something else than it seems."""

from tests.sandbox.attacks import NOTHING, OUTPUT, Attack, everywhere, stopped

_FLOOD = "while True: os.write({}, b'x' * 65536)"

ATTACKS = (
    everywhere("flood its output", _FLOOD.format(1), OUTPUT + "|signal 25|exit 1.*"),
    everywhere("flood its errors", _FLOOD.format(2), OUTPUT + "|signal 25|exit 1.*"),
    everywhere(
        "flood and ignore the signal", "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + _FLOOD.format(1), OUTPUT
    ),
    everywhere("flood, cut, flood", "os.ftruncate(1, (4 << 20) + 1); time.sleep(1); os.ftruncate(1, 0)", OUTPUT),
    everywhere(
        "an output of a terabyte that takes no place",
        "attempt(lambda: os.ftruncate(1, 1 << 40))",
        "signal 25|refused EFBIG",
    ),
    everywhere("write far behind", "attempt(lambda: os.pwrite(1, b'x', 1 << 40))", "signal 25|refused EFBIG"),
    everywhere(
        "seek far behind and write",
        "os.lseek(1, 1 << 40, 0)\nattempt(lambda: os.write(1, b'x'))\nos.lseek(1, 0, 0)",
        "signal 25|refused EFBIG",
    ),
    everywhere(
        "flood by copying in the kernel",
        "z = os.open('/dev/zero', os.O_RDONLY)\nr, w = os.pipe()\nwhile True: os.splice(r, 1, os.splice(z, w, 65536))",
        OUTPUT + "|signal 25|exit 1.*",
    ),
    stopped(
        "make room for an output",
        "attempt(lambda: os.posix_fallocate(1, 0, 1 << 30), lambda: checked(LIBC.fallocate(1, 1, 0, 1 << 30)))",
    ),
    everywhere(
        "write its output again",
        "os.write(1, b'wrong'); os.lseek(1, 0, 0); os.ftruncate(1, 0); os.write(1, b'again')",
        "again",
    ),
    everywhere("close its output", "os.close(1)\nprint('x')", "exit 1.*|nothing"),
    everywhere("close everything", "os.closerange(0, 100)\nos._exit(0)", NOTHING),
    everywhere("end at once and well", "os._exit(0)", NOTHING),
    everywhere("end as a checker that accepts", "os._exit(42)", "exit 42: nothing"),
    everywhere("end as a checker that rejects", "os._exit(43)", "exit 43: nothing"),
    everywhere("end as a failed exec", "os.write(2, b'0\\nexecve failed'); os._exit(127)", "exit 127: .*"),
    everywhere(
        "report a failure to the zygote", "attempt(lambda: os.write(3, b'0\\nthe exec failed'))", "refused EBADF"
    ),
    everywhere(
        "report a success to the judge",
        "import marshal\n"
        "forged = marshal.dumps(('ran', None, 0, None, 0.0, 0.0, 0, False))\n"
        "delivered = [n for n in range(3, 4096) if LIBC.send(n, forged, len(forged), 0) > 0]\n"
        "os.dup2(2, 3)\nos.write(3, forged)\nprint(delivered)",
        r"\[\]",
    ),
    everywhere("fifty megabytes of input that the program does not read", "print('done')", stdin=b"x" * (50 << 20)),
    everywhere("a line without an end", "print('x' * (3 << 20), end='')", "x{200}"),
    everywhere("bytes of zero", "os.write(1, bytes(9))", "\0{9}"),
    everywhere("bytes that are no text", "os.write(1, b'\\xff\\xfe\\xc0')", r"\\xff\\xfe\\xc0"),
    everywhere(
        "words that move the terminal's cursor",
        "os.write(1, b'\\x1b[2J\\x1b]0;x\\x07done')",
        r"\x1b\[2J\x1b\]0;x\x07done",
    ),
    everywhere(
        "another output under the same number",
        "r, w = os.pipe(); os.dup2(w, 1); os.write(1, b'elsewhere')",
        NOTHING,
    ),
    Attack(
        name="its output opened again",
        source="fd = os.open('/proc/self/fd/1', os.O_RDWR); os.write(fd, b'done')",
        full="done",
        landlock="done",
        limits="done",
    ),
    everywhere(
        "its output as memory",
        "import mmap\nos.ftruncate(1, 4096)\nm = mmap.mmap(1, 4096)\nm[:4] = b'done'\nm.flush()\nos.ftruncate(1, 4)",
    ),
)
