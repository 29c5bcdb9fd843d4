"""The zygote: a tiny process that starts every run, watches it, and ends it.

Theory of operation. The judge itself is a fat process; what it forks starts life with its size in `ru_maxrss`, so it
never forks a submission. It starts this program once per worker, with `-I -S` and built-in modules only, and talks to
it over one socket (see `request`).

At its start it finds the best level that works here, by doing: for `full` it forks a child that leaves the machine's
namespaces and becomes process 1 of new ones, where it serves; on a failure the next level is tried, and what failed is
told. A trial run proves the rest of the level and measures how much memory a run seems to use before its exec.

Per run: a child shuts itself in (see `confine`) and execs, without any Python (see `launch`); what failed makes the
answer "failed", never a verdict. What does not exec (warm runs) is a fork of all of us that has shut itself in before
it is back in Python. Where the launcher does not work, Python does all of it after a fork, and a pipe tells how much
CPU time that took (it is not charged to the run), or what failed.

Nothing survives: in namespaces everything else is killed after a run; without them the zygote is a child subreaper, so
that whatever a run leaves behind becomes its child, is killed, reaped, and its CPU time counted. When the judge goes
(its end of the socket closes), the run is killed and the zygote exits; when the zygote is killed, the kernel kills the
run (PR_SET_PDEATHSIG, and the end of process 1 ends its namespace).
"""

import _signal  # type: ignore[import-not-found]  # see confine
import _socket
import marshal
import os
import select
import sys
import time

from judge.sandbox import kernel, namespaces, proc
from judge.sandbox.confine import Confinement, Steps
from judge.sandbox.launch import Launcher, Step, take
from judge.sandbox.request import CONTROL, FULL, Request, Setting
from judge.sandbox.supervisor import Supervisor
from judge.sandbox.work_folder import remove

_SIGINT, _SIGKILL, _SIGXCPU = 2, 9, 24
_LARGEST_MESSAGE = 1 << 18
_MSG_NOSIGNAL = 0x4000
_NO_REPORT, _IN_LAUNCHER = -1, -2  # where a forked child's report stands, if not in a pipe
_NO_PROGRAM = "/nonexistent/trial"
_SERVES = b"\0"  # the level works; else a text says what failed


class ChildExit(BaseException):
    """Raised in a child that goes on as a program of its own: unwinds everything of the zygote."""


def execute(request: Request) -> None:
    """Become the program of a request."""
    os.execve(request.argv[0], request.argv, request.environment)


class Zygote:
    """Answers requests until the judge closes its end.

    Args:
        control: the socket to the judge.
        confinement: what runs are shut in with.
        become: what the child does at last; returns only on failure.
    """

    def __init__(self, control: "_socket.socket", confinement: Confinement, become: "object" = execute) -> None:
        self.control = control
        self.confinement = confinement
        self.become = become
        self.scratch = ""
        self.launcher = _launcher(forks=become is not execute)
        if self.launcher is not None and become is execute:
            self.launcher.seclude(confinement.rooms)
        self.last_message = b""
        self.last_request: Request | None = None
        self.last_steps: Steps | None = None
        self.made_for: object = None
        self.told = b""  # what was read of a forked child's report

    def serve(self) -> None:
        """Answer requests until the judge closes its end; then remove what the judge cannot any more."""
        while self.answer():
            pass
        if self.scratch:
            remove(self.scratch)

    def answer(self) -> bool:
        """Answer one request; False when the judge is gone."""
        try:
            message, ancillary, _, _ = self.control.recvmsg(_LARGEST_MESSAGE, _socket.CMSG_SPACE(12))
        except OSError:
            return False
        if not message:
            return False
        data = ancillary[0][2]
        fds = [int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, 12, 4)]
        try:
            answer = self.run(self.read(message), fds)
        except Exception as error:  # noqa: BLE001 - no process left, no descriptor left: ours, never a verdict
            self.sweep()
            answer = ("failed", f"the sandbox: {error if isinstance(error, OSError) else repr(error)}")
        for fd in fds:
            os.close(fd)
        return answer is not None and self.say(answer)

    def read(self, message: bytes) -> Request:
        """Return the request that a message is, and make once what it needs.

        Most runs of a judge differ in their input only: then the message is the last one again, and so is all that was
        made from it.
        """
        if message != self.last_message or self.last_request is None:
            request = Request.unpacked(message)
            if request.has_scratch:
                self.scratch = os.path.dirname(request.folder)
            self.confinement.prepare(request)
            if self.become is not execute:  # then a run's environment is ours
                os.environ.clear()
                os.environ.update(request.environment)
            self.last_message, self.last_request, self.last_steps = message, request, None
        return self.last_request

    def say(self, answer: "tuple[object, ...]") -> bool:
        """Send an answer; False when the judge is gone."""
        return _sent(self.control, answer)

    def run(self, request: Request, fds: "list[int]") -> "tuple[object, ...] | None":
        """Run one request to its end; return the answer for the judge, or None when the judge is gone."""
        if request.writable and os.getuid() == 0:  # it may be another run's, who was another user
            _give(request.writable, self.confinement.user)
        pid, message, report = self.start(request, fds)
        try:
            return self.see_to_the_end(request, fds, pid, message, report)
        finally:
            if report >= 0:
                os.close(report)

    def see_to_the_end(
        self, request: Request, fds: "list[int]", pid: int, message: str, report: int
    ) -> "tuple[object, ...] | None":
        """Watch a run that was started; return the answer for the judge, or None when the judge is gone."""

        def told() -> "float | None":
            return self.setup_so_far(report)

        _offer_when_memory_is_short(pid)
        watch = Supervisor(pid, request, (fds[1], fds[2]), setup=told, has_own_network=self.confinement.level == FULL)
        broken = watch.until_end(CONTROL)
        if broken:
            kill_group(pid)
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - watch.start
        orphans_cpu, orphans_memory = self.sweep()
        setup = 0.0
        if report != _NO_REPORT:
            setup, message = self.read_report(request, report)
        if broken == "gone":
            return None
        if message:
            return ("failed", message)
        # What was waited for stands in the usage; what hid from that (children that nobody waits for) was seen alive.
        own = max(0.0, usage.ru_utime + usage.ru_stime - setup)
        cpu = max(own + orphans_cpu, watch.spent.get(pid, 0.0) - setup + watch.hidden_cpu())
        memory = max(usage.ru_maxrss * 1024, orphans_memory, watch.tree_peak)
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        if broken is None and number == _SIGXCPU and cpu > request.cpu:
            broken = "time"
        if broken is None and watch.is_workshop_full():
            broken = "output"
        return ("ran", broken, code, number, cpu, wall, memory, watch.was_disturbed())

    def start(self, request: Request, fds: "list[int]") -> "tuple[int, str, int]":
        """Start a run.

        Returns (pid, what went wrong or "", a descriptor for `read_report`, or `_IN_LAUNCHER` or `_NO_REPORT`).

        Raises:
            Departure: in a child that does not exec.
        """
        if self.launcher is None:
            return self.fork(request, fds)
        steps = self.steps(request, fds)
        if self.become is execute:
            pid, failed, number = self.launcher.launch(steps.calls)
            return pid, _complaint(request, failed, number) if failed else "", _NO_REPORT
        pid = self.launcher.fork(steps.calls)
        if pid == 0:
            self.become(request)  # type: ignore[operator]
        return pid, "", _IN_LAUNCHER

    def steps(self, request: Request, fds: "list[int]", status: int = -1) -> Steps:
        """Return the system calls of a run: those of the last one, if only its input is another."""
        made_for = (request, fds, status)
        if self.last_steps is None or made_for != self.made_for:
            self.made_for = made_for
            self.last_steps = self.confinement.steps(request, fds, os.getpid(), status)
            if self.launcher is not None and self.become is execute:
                self.last_steps.execute(request.argv, request.environment)
            elif self.launcher is not None:
                self.last_steps.calls += self.launcher.last_steps()
        return self.last_steps

    def fork(self, request: Request, fds: "list[int]") -> "tuple[int, str, int]":
        """Start a run where the launcher does not work."""
        receive, status = os.pipe()
        self.told = b""
        steps = self.steps(request, fds, status)  # here: in the child every page costs a copy
        try:
            pid = os.fork()
        except OSError:
            os.close(receive)
            os.close(status)
            raise
        if pid == 0:
            self.child(request, steps.calls, status)
        os.close(status)
        return pid, "", receive

    def child(self, request: Request, steps: "list[Step]", status: int) -> None:
        """Become the run: never returns. What goes wrong is written to `status`.

        Raises:
            Departure: from `become`.
        """
        try:
            try:
                take(steps)
                status = CONTROL
                os.write(status, b"%.9f\n" % time.process_time())
                if self.become is not execute:
                    os.close(status)
                self.become(request)  # type: ignore[operator]
            except OSError as error:
                text = _complaint(request, error.filename or "execve", error.errno or 0)
                try:
                    os.write(status, f"0\n{text}".encode())
                except OSError:  # a step has put it in its last place
                    os.write(CONTROL, f"0\n{text}".encode())
        except ChildExit:
            raise
        except BaseException:  # noqa: BLE001, S110 - a second zygote must never come of it
            pass
        os._exit(127)

    def setup_so_far(self, report: int) -> "float | None":
        """Return how much CPU time the run needed before it became itself; None while it has not told."""
        if report == _NO_REPORT:
            return 0.0
        if report == _IN_LAUNCHER and self.launcher is not None:
            return self.launcher.cpu() if self.launcher.has_left() else None
        if b"\n" not in self.told and select.select([report], [], [], 0)[0]:
            self.told += os.read(report, 4096)
        line, is_told, _ = self.told.partition(b"\n")
        return float(line) if is_told else None

    def read_report(self, request: Request, report: int) -> "tuple[float, str]":
        """Read what a forked child told before it became the run; it has ended, and all that it left.

        Returns (CPU seconds of the set-up, message); the message is empty when all went well.
        """
        if report == _IN_LAUNCHER and self.launcher is not None:
            failed, number = self.launcher.failure()
            setup, message = self.launcher.cpu(), _complaint(request, failed, number) if failed else ""
            is_told = bool(failed) or self.launcher.has_left()
        else:
            text, _, message = (self.told + _read_all(report)).decode(errors="replace").partition("\n")
            setup, message, is_told = float(text or 0), message.removeprefix("0\n"), bool(text)
        return setup, message if is_told else "the run ended before it began"

    def sweep(self) -> "tuple[float, int]":
        """Kill and reap everything that a run left behind; return its CPU time and largest peak memory in bytes."""
        cpu, memory = 0.0, 0
        while True:
            if self.confinement.level == FULL:  # we are process 1: all others are of the run
                kill_all()
            try:
                pid, _, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return cpu, memory
            if pid:
                cpu += usage.ru_utime + usage.ru_stime
                memory = max(memory, usage.ru_maxrss * 1024)
                continue
            if self.confinement.level != FULL:
                for orphan in proc.children_of(os.getpid()):
                    kill_group(orphan)
            select.select([], [], [], 0.0002)

    def trial(self) -> int:
        """Do everything that a run does but its exec; return its peak memory until then, in bytes.

        Raises:
            OSError: the level does not work here; the text says what failed.
        """
        request = Request(
            argv=(_NO_PROGRAM,),
            cpu=1.0,
            environment={},
            folder="",
            has_scratch=False,
            may_fork=False,
            memory=1 << 26,
            output=1 << 16,
            readable=(),
            wall=1.0,
            writable="",
        )
        self.confinement.prepare(request)
        become = self.become
        if become is not execute:
            self.become = lambda _: os._exit(0)
        fds = [os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC) for _ in range(3)]
        try:
            pid, message, report = self.start(request, fds)
            _, _, usage = os.wait4(pid, 0)
            if report != _NO_REPORT:
                _, message = self.read_report(request, report)
            if report >= 0:
                os.close(report)
        finally:
            self.become = become
            for fd in fds:
                os.close(fd)
        if message and not message.startswith(_NO_PROGRAM):
            raise OSError(0, message)
        return int(usage.ru_maxrss) * 1024


def _launcher(*, forks: bool) -> "Launcher | None":
    try:
        launcher = Launcher()
        if forks:
            launcher.prepare_forks()
    except OSError:  # another architecture, or memory may not be made executable: slower, and right all the same
        return None
    return launcher


def _complaint(request: Request, step: str, number: int) -> str:
    """Return what a step's failure means."""
    subjects = {"execve": request.argv[0], "chdir": request.folder}
    return f"{subjects.get(step, step)}: {os.strerror(number)}"


def kill_all() -> None:
    """Kill every process of this namespace but this one."""
    try:
        os.kill(-1, _SIGKILL)
    except ProcessLookupError:
        pass


def kill_group(pid: int) -> None:
    """Kill a run's first process and its process group; gone ones are fine."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, _SIGKILL)
        except ProcessLookupError:
            pass


def _give(folder: str, user: int) -> None:
    """Make a user the owner of a folder and all in it; links are not followed."""
    os.chown(folder, user, user)
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            _give(entry.path, user)
        else:
            os.chown(entry.path, user, user, follow_symlinks=False)


def _offer_when_memory_is_short(pid: int) -> None:
    """Make the kernel take a run first when the machine has no memory left, not the judge (proc(5))."""
    try:
        fd = os.open(f"/proc/{pid}/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    except OSError:  # no /proc, or not ours, or it has ended: then the largest process goes, as always
        return
    try:
        os.write(fd, b"1000")
    except OSError:
        pass
    finally:
        os.close(fd)


def _sent(control: "_socket.socket", answer: "tuple[object, ...]") -> bool:
    """Send an answer; False when the judge is gone."""
    try:
        control.send(marshal.dumps(answer), _MSG_NOSIGNAL)  # type: ignore[arg-type]  # text and numbers only
    except OSError:
        return False
    return True


def _read_all(fd: int) -> bytes:
    parts = []
    while part := os.read(fd, 4096):
        parts.append(part)
    return b"".join(parts)


class _Start:
    """The start of a zygote: find the best level that works, and serve at it."""

    def __init__(self, control: "_socket.socket", setting: Setting, become: "object") -> None:
        self.become = become
        self.control = control
        self.setting = setting
        self.refusals: list[tuple[str, str]] = []
        self.judge = os.getppid()

    def serve(self) -> None:
        """Try the levels, best first; the first that works serves until the judge goes."""
        for level in self.setting.levels:
            try:
                self.serve_in_child(level)
            except OSError as error:
                self.refusals.append((level, error.strerror or str(error)))
            else:
                return
        _sent(self.control, ("failed", "; ".join(f"{level}: {why}" for level, why in self.refusals)))

    def serve_in_child(self, level: str) -> None:
        """Serve in a child and wait for its end.

        The child is smaller than we are: a fork leaves the pages of program files behind, and a run's peak memory
        begins at the size of the process that starts it.

        Raises:
            OSError: the level does not work.
        """
        receive, report = os.pipe()
        pid = os.fork()
        if pid == 0:
            self.child(level, report)
        os.close(report)
        message = _read_all(receive)  # ends when the child serves, or ended
        os.close(receive)
        if message != _SERVES:
            os.waitpid(pid, 0)
            raise OSError(0, message.decode(errors="replace") or "killed at its start, perhaps by a security policy")
        self.control.close()  # the child alone answers now, and sees when the judge goes
        guard(pid)
        if self.setting.cleanup_folder and (proc.is_ending(self.judge) or os.getppid() != self.judge):
            remove(self.setting.cleanup_folder)

    def child(self, level: str, report: int) -> None:
        """Serve; never returns but in a run that departs. `_SERVES` or a failure is written to `report`."""
        try:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, _SIGKILL)
            if level == FULL:
                namespaces.unshare(users=os.getuid() != 0)
                pid = os.fork()
                if pid:
                    os.close(report)
                    self.control.close()
                    guard(pid)
                    os._exit(0)
                kernel.prctl(kernel.PR_SET_PDEATHSIG, _SIGKILL)
                namespaces.enter_tree(self.setting.shown, self.setting.writable)
            else:
                kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
            zygote = Zygote(self.control, Confinement(level, self.setting), self.become)
            floor = zygote.trial()
        except BaseException as error:  # noqa: BLE001 - told as a refusal of this level
            try:
                os.write(report, (getattr(error, "strerror", None) or repr(error)).encode())
            finally:
                os._exit(0)
        os.write(report, _SERVES)
        os.close(report)
        try:
            if zygote.say(("ready", level, floor, self.refusals)):
                zygote.serve()
        except ChildExit:
            raise
        except BaseException:  # noqa: BLE001, S110 - the judge sees the end; no error may lead to the next level in here
            pass
        os._exit(0)


def guard(pid: int) -> None:
    """Wait for the end of the process that serves; kill it if a run stops it; end what it leaves behind."""
    while os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1]):
        os.kill(pid, _SIGKILL)
    while True:
        for orphan in proc.children_of(os.getpid()):
            kill_group(orphan)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def main(become: "object" = execute) -> None:
    """Be a zygote; returns when the judge is gone."""
    os.setsid()  # Ctrl-C on the terminal is for the judge alone
    os.umask(0o022)  # whatever the user's is: runs are another user, who must see the tree, and what compilers made
    _signal.signal(_SIGINT, _signal.SIG_DFL)  # process 1 is immune to its runs' signals, unless it handles them
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    control = _socket.socket(fileno=CONTROL)
    try:
        message = control.recv(_LARGEST_MESSAGE)
    except OSError:  # the judge is gone already
        return
    if message:
        _Start(control, Setting.unpacked(message), become).serve()
