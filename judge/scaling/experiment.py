"""How the time and memory of a solution grow: runs on inputs of growing size, a law, and the largest size in time.

`Experiment.measure` yields a point for each size, so that whoever observes it can show progress; `conclude` fits the
laws and verifies the predicted largest size by a run.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median

from msgspec.structs import replace

from judge.base.data import digest
from judge.base.errors import JudgeError, UsageError
from judge.base.units import MIB, Bytes, Seconds, format_bytes, format_count, format_seconds
from judge.judging.judge import conclude, run_submission
from judge.languages.build import Program, build
from judge.languages.source import solution_options
from judge.model import (
    EXPECTATIONS,
    CheckResult,
    Ending,
    Limits,
    Problem,
    RunResult,
    Solution,
    Verdict,
)
from judge.problems.paths import shown_path
from judge.runner.options import ProblemSelection
from judge.sandbox.box import Box
from judge.scaling.fit import (
    CONSTANT,
    MEMORY_NOISE,
    MIN_SAMPLES,
    TIME_NOISE,
    Fit,
    Sample,
    fit_growth,
    largest_size,
)
from judge.scaling.plan import larger_size, size_between
from judge.scaling.result import Failure, Point, Scaling, Verification
from judge.scaling.sized_inputs import ScalingOptions, SizedInputs, find_inputs
from judge.timing.measure import with_hash_seed
from judge.workspace.session import Session
from judge.workspace.workspace import SourceSelection

_LARGEST = 10**18  # a size that fits into 64 bits
_MAX_INPUT = 64 * MIB
_MAX_LAST_INPUT = 4 * _MAX_INPUT  # of a verifying run
_SLACK = 1.5  # a verifying run may take longer than the limit by this factor, so that its time is known
_LIMITS = {Verdict.TLE: "time limit", Verdict.MLE: "memory limit"}
_ACCEPTED = CheckResult(verdict=Verdict.AC)  # outputs are not checked


class Experiment:
    """Measures one solution; `measure` first, then `conclude`.

    The session has one worker, so that nothing else runs meanwhile. The clock returns the elapsed time in seconds.

    Raises:
        UsageError: the problem is interactive, or no inputs of any size are known.
        JudgeError: the solution does not compile, or the generator cannot be built.
        OSError: a file cannot be read or written.
    """

    def __init__(
        self,
        source: SourceSelection,
        session: Session,
        options: ScalingOptions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = session
        self._options = options
        self._clock = clock
        selection = source.problem
        if selection is None:  # no cases are beside it
            path, shown = source.path, str(shown_path(source.path, session.root))
            solution = Solution(path=path, display_path=shown, expectation=EXPECTATIONS["accepted"])
            selection = ProblemSelection(problem=Problem(id=path.stem, name=path.stem, solutions=(solution,)))
        problem = selection.problem
        if problem.interactor is not None or problem.passes > 1:
            kind = "interactive" if problem.interactor is not None else "a multi-pass problem"
            raise UsageError(f"{problem.id} is {kind}: its inputs have no size that a run reads at once")
        self._solution = problem.solutions[0]
        self._file_names = problem.cases[0].file_names if problem.cases else None
        limits = selection.overrides.override_limits(problem.limits)
        self._limits = options.overrides.override_limits(limits)
        self._tools = {**selection.tools, **session.options.tools}
        self._program = session.executor.call(lambda box: self._build(problem, box))
        self._inputs: SizedInputs = session.executor.call(
            lambda box: find_inputs(problem, options, session.root, session.store, box)
        )
        self._largest = options.largest or self._inputs.largest
        self._points: dict[int, Point] = {}
        self._failure: Failure | None = None
        self._may_grow = True  # there is time for a larger size

    @property
    def has_points(self) -> bool:
        """Whether any size was measured."""
        return bool(self._points)

    @property
    def inputs(self) -> SizedInputs:
        """What makes the inputs."""
        return self._inputs

    def measure(self) -> Iterator[Point]:
        """Measure sizes until there are enough, or the time is up; yield each point.

        Raises:
            JudgeError: nothing can be measured: the smallest input cannot be made, or the solution fails on it.
            Interrupted: the session was interrupted.
        """
        reserve = min(self._limits.cpu * _SLACK, self._options.budget / 4)  # for the verification
        deadline = self._clock() + self._options.budget - reserve
        yield self._measure_first()
        while (size := (self._larger_size() if self._may_grow else None) or size_between(self._samples())) is not None:
            begun = self._clock()
            if begun >= deadline + (self._options.budget if len(self._points) < MIN_SAMPLES else 0):
                break
            found = self._measure_size(size)
            expected = 2 * (self._clock() - begun)
            if isinstance(found, Failure):
                self._failure = found
                expected = min(expected, self._limits.cpu)  # the next size is smaller, and seldom fails
            else:
                self._points[size] = found
                self._check_inputs()
                yield found
            if size > max(self._points) // 2 and self._clock() + expected > deadline:
                self._may_grow = False

    def conclude(self, *, verifies: bool = True) -> Scaling:
        """Fit the laws, predict the largest size, and verify it. Raises Interrupted.

        `verifies` is False after an interruption: nothing runs any more, and a warning says so.
        """
        points = self._sorted_points()
        scaling = Scaling(
            path=self._solution.display_path,
            language=self._program.language.name,
            inputs=self._inputs.description,
            size_name=self._inputs.size_name,
            limits=self._limits,
            points=points,
            failure=self._failure,
            largest_given=self._largest,
        )
        if len(points) < MIN_SAMPLES:
            text = f"only {format_count(len(points), 'size')} could be measured; a law needs at least {MIN_SAMPLES}"
            return replace(scaling, warnings=(text,))
        if not verifies:
            scaling = replace(self._predict(scaling), not_verified="interrupted")
            return replace(scaling, warnings=("interrupted: some sizes are missing", *self._warn(scaling)))
        scaling = self._verify(self._predict(scaling))
        for _ in range(2):
            checked = scaling.verification
            if checked is None or checked.is_confirmed:
                break
            if checked.point is not None:
                self._points[checked.size] = checked.point
            scaling = self._verify(self._predict(replace(scaling, points=self._sorted_points()), checked))
        if scaling.verification is not None and not scaling.verification.is_within:
            scaling = self._fall_back(scaling)
        scaling = replace(scaling, failure=self._failure)  # a verifying run may have failed
        return replace(scaling, warnings=tuple(self._warn(scaling)))

    def _fall_back(self, scaling: Scaling) -> Scaling:
        """Return the largest measured size instead of the predicted ones, which all were too large."""
        assert scaling.time is not None
        fitting = [each for each in scaling.points if not self._exceeded(each)]
        point = fitting[-1] if fitting else scaling.points[0]  # it was within the limits until others were known
        predicted = Seconds(scaling.time.best.predict(point.size))
        return replace(
            scaling, largest=point.size, verification=Verification(size=point.size, predicted=predicted, point=point)
        )

    def _predict(self, scaling: Scaling, failed: Verification | None = None) -> Scaling:
        """Fit the laws, and predict the largest size; `failed` is a run at one that was not as predicted."""
        points, failure = scaling.points, self._failure
        # how much the times of repeated runs differ: on a busy machine more than elsewhere
        spreads = [each.spread for each in points if each.spread is not None]
        noise = max(TIME_NOISE.relative, min(median(spreads), 0.25) if spreads else 0.0)
        most = failure.size - 1 if failure is not None and failure.verdict in _LIMITS else _LARGEST
        growth = fit_growth(
            [Sample(size=each.size, value=each.cpu) for each in points], replace(TIME_NOISE, relative=noise)
        )
        memory = fit_growth([Sample(size=each.size, value=each.memory) for each in points], MEMORY_NOISE)
        bounds = [
            (max(_round_down(min(size, most)), points[0].size), name)
            for size, name in (
                (growth.best.largest(self._limits.cpu), "time limit"),
                (memory.best.largest(self._limits.memory), "memory limit"),
            )
            if size is not None
        ]
        if failed is not None and failed.limit:
            smaller = _round_down(min(failed.size - 1, self._fitting_size(failed, growth.best)))
            bounds.append((max(smaller, points[0].size), failed.limit))
        if self._largest is not None:
            bounds.append((self._largest, "largest size"))
        if self._failure is not None and self._failure.verdict is not None:
            name = _LIMITS.get(self._failure.verdict)
            if name is None or name not in [by for _, by in bounds]:
                below = max((each.size for each in points if each.size < self._failure.size), default=points[0].size)
                bounds.append((below, name or self._failure.reason))
        largest, by = min(bounds, default=(None, ""))
        return replace(scaling, time=growth, memory=memory, largest=largest, by=by, verification=None)

    def _verify(self, scaling: Scaling) -> Scaling:
        """Run the largest size once, unless it was measured."""
        size, growth = scaling.largest, scaling.time
        if size is None or growth is None:
            return scaling
        checked = Verification(size=size, predicted=Seconds(growth.best.predict(size)))
        known = self._points.get(size)
        if known is not None:
            return replace(scaling, verification=replace(checked, point=known, limit=self._exceeded(known)))
        if reason := self._find_obstacle(size, scaling.points[-1]):
            return replace(scaling, not_verified=reason)
        found = self._measure_size(size, slack=_SLACK, runs=1)
        if isinstance(found, Failure):
            if found.verdict is None:
                return replace(scaling, not_verified=found.reason)
            if found.verdict not in _LIMITS:
                self._failure = found  # it is smaller than an earlier one, if there is one
            return replace(scaling, verification=replace(checked, failure=found, limit=_LIMITS.get(found.verdict, "")))
        return replace(scaling, verification=replace(checked, point=found, limit=self._exceeded(found)))

    def _exceeded(self, point: Point) -> str:
        """Return the limit that a verifying run exceeded, or "": that of the time; others end a run."""
        return "time limit" if point.cpu > self._limits.cpu else ""

    def _fitting_size(self, failed: Verification, fit: Fit) -> int:
        """Return a smaller size than one that exceeded a limit, by the law of the times if its time is known."""
        base = min(fit.base, self._samples()[0].value)
        if failed.point is None or fit.law is CONSTANT or base >= self._limits.cpu:
            return int(failed.size * 0.8)  # a size that failed is followed by this part of it, unless its time is known
        return largest_size(fit.law, failed.size, (self._limits.cpu - base) / (failed.point.cpu - base))

    def _find_obstacle(self, size: int, last: Point) -> str:
        """Return why the input of a size is not made, or ""."""
        ratio = size / last.size
        if last.input_bytes * ratio > _MAX_LAST_INPUT:
            return f"its input would have about {format_bytes(round(last.input_bytes * ratio))}"
        if last.making * ratio > self._options.budget:
            return f"its input would take about {format_seconds(last.making * ratio)} to make"
        return ""

    def _warn(self, scaling: Scaling) -> Iterator[str]:
        growth, last = scaling.time, scaling.points[-1]
        if growth is not None and growth.is_poor:
            yield f"no law predicts the largest sizes well: {growth.name} is off by {growth.best.prediction_error:.0%}"
        if self._larger_size() is not None and scaling.by in ("time limit", ""):
            yield (
                f"the time was up before larger sizes than {last.size:,} were measured, which took "
                f"{format_seconds(last.cpu)}; for more of it: --time {2 * self._options.budget:.0f}"
            )
        if scaling.largest is not None and scaling.by == "time limit" and scaling.largest > 4 * last.size:
            ratio = scaling.largest / last.size
            yield f"{scaling.largest:,} is {ratio:.0f} times the largest size that was measured: do not rely on it"
        if self._failure is not None and self._failure.verdict is None:
            yield f"no input for {scaling.size_name} = {self._failure.size:,}: {self._failure.reason}"
        first = scaling.points[0]
        is_large = first.input_bytes > 256 and last.size >= 64 * first.size
        if is_large and last.input_bytes < 1.05 * first.input_bytes:
            sizes = f"{format_bytes(first.input_bytes)} for {first.size:,} and for {last.size:,}"
            yield f"the inputs hardly grow: {sizes}; is {scaling.size_name} their size?"

    # ---- sizes -----------------------------------------------------------------------------------------------------

    def _measure_first(self) -> Point:
        """Measure the first size; without a given one, a few are tried. Raises JudgeError if all fail."""
        given = self._options.smallest
        sizes = [given] if given else [4, 16, 64]  # a generator may need more than a few elements
        if self._largest is not None:
            sizes = [size for size in sizes if size <= self._largest] or [1]
        failures = []
        for size in sizes:
            found = self._measure_size(size)
            if isinstance(found, Point):
                self._points[size] = found
                return found
            failures.append(found)
            if found.verdict is Verdict.TLE:
                break
        raise JudgeError(self._explain_first(failures))

    def _explain_first(self, failures: list[Failure]) -> str:
        first, name = failures[0], self._inputs.size_name
        if first.verdict is None:
            return f"{name} = {first.size}: {first.reason}; choose the first size with --min"
        who = self._solution.display_path
        if first.verdict is Verdict.TLE:
            return (
                f"{who}: TLE at the smallest size, {name} = {first.size}: {first.reason}; "
                "choose a smaller one with --min, or a longer limit with --time-limit"
            )
        return (
            f"{who}: {first.verdict} at the smallest size, {name} = {first.size}: {first.reason}; does it read what "
            f"`{self._inputs.description}` makes? If that is too small an input, choose the first size with --min"
        )

    def _larger_size(self) -> int | None:
        failed = self._failure.size if self._failure else None
        return larger_size(self._samples(), failed, self._largest or _LARGEST, self._limits.cpu)

    def _samples(self) -> list[Sample]:
        return [Sample(size=each.size, value=each.cpu) for each in self._sorted_points()]

    def _sorted_points(self) -> tuple[Point, ...]:
        return tuple(point for _, point in sorted(self._points.items()))

    def _check_inputs(self) -> None:
        """Check that the inputs differ. Raises JudgeError if three sizes in a row have the same input."""
        points = self._sorted_points()[-3:]
        if len(points) == 3 and len({each.input_digest for each in points}) == 1:
            sizes = ", ".join(f"{each.size:,}" for each in points)
            raise JudgeError(
                f"`{self._inputs.description}` makes the same input of {format_bytes(points[0].input_bytes)} for the "
                f"sizes {sizes}; expected one that grows: does it use the size?"
            )

    # ---- in a worker -----------------------------------------------------------------------------------------------

    def _build(self, problem: Problem, box: Box) -> Program:
        solution = self._solution
        built = build(
            solution.path,
            self._session.store.build,
            box,
            self._tools,
            cache=self._session.store.programs,
            source_options=solution_options(solution, problem.folder),
            options=self._session.build_options().add_flags(problem.compile_flags),
        )
        if not isinstance(built, Program):
            raise JudgeError(f"{solution.display_path} does not compile: {built.message}")
        return built

    def _measure_size(self, size: int, *, slack: float = 1.0, runs: int = 3) -> Point | Failure:
        """Measure a size; the runs may exceed the time limit by a factor."""
        cpu = Seconds(slack * self._limits.cpu)
        limits = replace(self._limits, cpu=cpu, wall=Seconds(self._limits.wall + 2 * (cpu - self._limits.cpu)))
        return self._session.executor.call(lambda box: self._measure_in(box, size, limits, runs))

    def _time_reason(self, result: RunResult, limits: Limits) -> str:
        """Return which time limit a run exceeded: it may take longer than the problem's."""
        if result.ending is Ending.WALL_LIMIT:
            elapsed, cpu, limit = map(format_seconds, (limits.wall, result.cpu, self._limits.wall))
            return f"more than {elapsed} elapsed, with {cpu} of CPU time; the limit is {limit}"
        limit = format_seconds(self._limits.cpu)
        return f"more than {format_seconds(limits.cpu)} of CPU time; the limit is {limit}"

    def _measure_in(self, box: Box, size: int, limits: Limits, runs: int) -> Point | Failure:
        """Make an input and run the solution on it, repeatedly while that is cheap."""
        begun = self._clock()
        data = self._inputs.make(size, box)
        made = self._clock()
        if isinstance(data, str):
            return Failure(size=size, reason=data)
        if len(data) > (_MAX_INPUT if runs > 1 else _MAX_LAST_INPUT):
            return Failure(size=size, reason=f"it has {format_bytes(len(data))}, too much to make many of them")
        command = self._program.command(data, limits)
        if self._program.language.id == "python3":
            command = with_hash_seed(command, 1)
        times: list[Seconds] = []
        memory: list[Bytes] = []
        deadline = self._clock() + self._options.budget / 15
        with box.without_repeats():  # the least time counts
            while not times or (len(times) < runs and self._clock() < deadline):
                result = run_submission(command, self._file_names, limits, box).result
                found = conclude(result, limits, lambda: _ACCEPTED)
                if found.verdict is Verdict.TLE and times:
                    break  # the machine is busy: the least time counts
                if found is not _ACCEPTED:
                    reason = self._time_reason(result, limits) if found.verdict is Verdict.TLE else found.reason
                    return Failure(size=size, reason=reason, verdict=found.verdict)
                times.append(result.cpu)
                memory.append(result.memory)
        return Point(
            size=size,
            memory=min(memory),
            input_bytes=len(data),
            input_digest=digest(data),
            making=Seconds(made - begun),
            times=tuple(times),
        )


def _round_down(size: int) -> int:
    """Return a size with two significant digits, not larger."""
    digits = len(str(size)) - 2
    return size // 10**digits * 10**digits if digits > 0 else size
