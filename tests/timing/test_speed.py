"""The speed of a processor during a run."""

import os
import threading
import time

import pytest

from judge.base.units import Seconds
from judge.timing.speed import SpeedCorrection, SpeedMeter, Timing


def test_the_speed_of_a_processor_is_measured_until_the_meter_is_closed() -> None:
    with SpeedMeter(min(os.sched_getaffinity(0))) as meter:
        meter.begin()
        speed = meter.end()
        assert speed is not None
        assert speed > 0
    assert not any(thread.name == "judge-speed-meter" for thread in threading.enumerate())


@pytest.mark.parametrize("core", [None, 100_000], ids=["none", "gone"])
def test_the_speed_of_no_processor_is_unknown(core: int | None) -> None:
    with SpeedMeter(core) as meter:
        meter.begin()
        assert meter.end() is None


def test_only_what_was_measured_during_the_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now, cost = 0.0, 0.5

    def thread_time() -> float:
        nonlocal now
        now += cost
        return now

    monkeypatch.setattr(time, "thread_time", thread_time)
    with SpeedMeter(min(os.sched_getaffinity(0))) as meter:
        meter.begin()
        assert meter.end() == 2.0
        cost = 0.25
        time.sleep(0.05)  # what is being measured has ended
        meter.begin()
        time.sleep(0.05)
        assert meter.end() == 4.0


SPEEDS = (1.0, 0.6, 0.8, 0.65, 1.0, 0.7)


def runs(cpu: float, sensitivity: float) -> list[Timing]:
    return [Timing(Seconds(cpu / speed**sensitivity), 4000 * speed) for speed in SPEEDS]


@pytest.mark.parametrize("sensitivity", [0.0, 0.5, 1.0])
def test_times_are_corrected_as_far_as_the_program_depends_on_the_speed(sensitivity: float) -> None:
    groups = [runs(0.1 * 2**number, sensitivity) for number in range(5)]
    correction = SpeedCorrection.of(groups)
    assert abs(correction.sensitivity - sensitivity) < 0.05
    for group in groups:
        times = [correction.correct(each) for each in group]
        assert max(times) < 1.04 * min(times)
    measured = sum(each.cpu for group in groups for each in group)
    assert abs(sum(correction.correct(each) for group in groups for each in group) / measured - 1) < 1e-9


def test_without_repetitions_or_differences_of_speed_nothing_is_corrected() -> None:
    single = [Timing(Seconds(0.1), 3000.0)], [Timing(Seconds(0.3), 2000.0)]
    assert SpeedCorrection.of(single).correct(single[1][0]) == pytest.approx(0.3)
    noisy = [Timing(Seconds(cpu), speed) for cpu, speed in ((0.1, 3000.0), (0.09, 3010.0), (0.11, 2990.0))]
    assert abs(SpeedCorrection.of([noisy]).sensitivity) < 0.05
