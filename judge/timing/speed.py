"""How fast a processor is while a program runs on it, and what CPU times would be at a constant speed.

A processor of a virtual machine, or one with hyper-threading, is slower while its other half works for someone else:
the CPU time of the same run then differs by half, within fractions of a second. A thread on the same processor measures
that: it repeats a short loop, and notes how much CPU time each repetition takes.

Not all programs are slowed as much as the loop: those that wait for memory, or for one result after the other, hardly
are. How much a program is shows in repeated runs.
"""

import math
import os
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from statistics import fmean
from typing import Self

from msgspec import Struct

from judge.base.units import Seconds

_SHORTEST_S = 0.005  # shorter runs say nothing about speed
_EVIDENCE = 0.02  # squared logarithms of speeds: with less variation hardly anything is corrected
_STEPS = 2000  # of the loop, about 0.2 ms
_INTERVAL_S = 0.01
_PATIENCE_S = 1.0  # for a measurement


class Timing(Struct, frozen=True):
    """The CPU time of a run, and the speed of the processor during it, in any unit; None if it is not known."""

    cpu: Seconds
    speed: float | None = None


class SpeedCorrection(Struct, frozen=True, kw_only=True):
    """What makes CPU times comparable that were measured at different speeds.

    Attributes:
        sensitivity: how much the program depends on the speed, from 0 to 1.
        scale: the factor to the mean speed of all runs.
    """

    sensitivity: float = 0.0
    scale: float = 1.0

    @classmethod
    def of(cls, groups: Iterable[Sequence[Timing]]) -> "SpeedCorrection":
        """Return the correction of a program; each group has the runs on the same input.

        The sensitivity is the slope of a regression of the logarithms: how the times of the same run depend on the
        speed.
        """
        points = []  # logarithms of the times, and of the speeds, of all runs that are long enough
        for group in groups:
            known = [(each.cpu, each.speed) for each in group if each.speed is not None and each.cpu >= _SHORTEST_S]
            points.append(([math.log(cpu) for cpu, _ in known], [math.log(speed) for _, speed in known]))
        deviations = [
            (time - fmean(times), speed - fmean(speeds))
            for times, speeds in points
            for time, speed in zip(times, speeds, strict=True)
        ]
        product = sum(time * speed for time, speed in deviations)
        squares = sum(speed * speed for _, speed in deviations)
        sensitivity = min(max(-product / (squares + _EVIDENCE), 0.0), 1.0)
        measured = sum(math.exp(time) for times, _ in points for time in times)
        corrected = sum(
            math.exp(time + sensitivity * speed)
            for times, speeds in points
            for time, speed in zip(times, speeds, strict=True)
        )
        return cls(sensitivity=sensitivity, scale=measured / corrected if corrected else 1.0)

    def correct(self, timing: Timing) -> Seconds:
        """Return the CPU time at the mean speed."""
        if timing.speed is None:
            return timing.cpu
        return Seconds(timing.cpu * self.scale * timing.speed**self.sensitivity)


class SpeedMeter:
    """Measures the speed of one processor during runs; a context manager. Without a processor, no speed is known.

    It takes 2 % of the elapsed time, which counts as a disturbance of the run, but nothing of its CPU time.
    """

    def __init__(self, core: int | None) -> None:
        self._core = core
        self._speeds: list[float] = []  # since the beginning of the run, in loops per second of CPU time
        self._wanted = threading.Event()
        self._measured = threading.Event()
        self._is_open = True
        self._thread = threading.Thread(target=self._work, name="judge-speed-meter", daemon=True)

    def __enter__(self) -> Self:
        if self._core is not None:
            with suppress(RuntimeError):  # there are too many threads: no speed is known
                self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_open = False
        self._wanted.set()
        if self._thread.ident is not None:
            self._thread.join()

    def begin(self) -> None:
        """Begin a run: what was measured before does not count."""
        self._speeds = []
        self._measure_now()

    def end(self) -> float | None:
        """End a run; return the mean speed from its beginning on, in loops per second; None if it is not known."""
        self._measure_now()
        return fmean(self._speeds) if self._speeds else None

    def _measure_now(self) -> None:
        if self._thread.is_alive():
            self._measured.clear()
            self._wanted.set()
            self._measured.wait(_PATIENCE_S)

    def _work(self) -> None:
        assert self._core is not None
        with suppress(OSError):  # the processor is gone: no speed is known
            os.sched_setaffinity(0, {self._core})  # of this thread
            while self._is_open:
                _spin(_STEPS // 10)  # fills the caches
                begun = time.thread_time()
                _spin(_STEPS)
                taken = time.thread_time() - begun
                if taken > 0:
                    self._speeds.append(1 / taken)
                self._measured.set()
                self._wanted.wait(_INTERVAL_S)
                self._wanted.clear()


def _spin(steps: int) -> None:
    at = 1
    for number in range(steps):
        at = (at * 1103515245 + number) % 2147483647
