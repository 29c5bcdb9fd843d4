"""Inputs that are examined on another machine: what is asked there, and what comes back."""

import math
import time
from abc import ABC, abstractmethod

from msgspec import Struct
from msgspec.structs import replace

from judge.hack.examine import Examined, Examiner, Status
from judge.hack.pool import WarmPool
from judge.hack.values import JudgingFailure, Target
from judge.sandbox.box import Box


class Examination(Struct, frozen=True, kw_only=True):
    """What is to be found out about an input.

    Attributes:
        is_known_valid: no validator is asked.
        is_trusted: without validators, it is valid even if references disagree.
        is_about_validity: nothing but whether it is valid.
        seconds: until the deadline.
    """

    data: bytes
    is_known_valid: bool = False
    is_trusted: bool = False
    is_about_validity: bool = False
    seconds: float = math.inf


class ExaminationAnswer(Struct, frozen=True, kw_only=True):
    """What an examination has found out.

    Attributes:
        examined: for one about validity, good or invalid.
        runs: of the submission.
        faults: of other programs: their name, what is wrong, and details.
        judging_failure: of the checker or the interactor.
    """

    examined: Examined
    runs: int = 0
    faults: tuple[tuple[str, str, str], ...] = ()
    judging_failure: JudgingFailure | None = None


class ExaminationDelegate(ABC):
    """A box that can have inputs examined on another machine."""

    @abstractmethod
    def examine_remotely(self, target: Target, examination: Examination) -> ExaminationAnswer | None:
        """Return what was found out; None if it must be found out in this box.

        Raises:
            JudgeError: that place is gone, or the examination was interrupted.
        """


class DelegatingExaminer(Examiner):
    """An examiner whose boxes may have inputs examined on other machines; cold runs are always in the boxes."""

    def is_valid(self, data: bytes, box: Box, *, is_final: bool = False, is_cold: bool = False) -> bool | None:
        """Return whether an input is valid; see `Examiner`."""
        found = None if is_final else self._examine_remotely(box, Examination(data=data, is_about_validity=True))
        if found is None:
            return super().is_valid(data, box, is_final=is_final, is_cold=is_cold)
        return None if found.status is Status.UNKNOWN else found.status is Status.GOOD

    def examine(
        self,
        data: bytes,
        box: Box,
        *,
        is_known_valid: bool = False,
        is_trusted: bool = False,
        is_cold: bool = False,
    ) -> Examined:
        """Examine an input; see `Examiner`."""
        examination = Examination(data=data, is_known_valid=is_known_valid, is_trusted=is_trusted)
        found = None if is_cold else self._examine_remotely(box, examination)
        return found or super().examine(
            data, box, is_known_valid=is_known_valid, is_trusted=is_trusted, is_cold=is_cold
        )

    def _examine_remotely(self, box: Box, examination: Examination) -> Examined | None:
        """Return what another place finds out about an input; None if it must be examined here."""
        if not isinstance(box, ExaminationDelegate):
            return None
        seconds = self.deadline - time.monotonic()
        answer = box.examine_remotely(self.target, replace(examination, seconds=seconds))
        if answer is None:
            return None
        self.runs += answer.runs
        for fault in answer.faults:
            self.faults.add(*fault)
        if answer.judging_failure is not None:
            self.faults.keep(answer.judging_failure)
        return replace(answer.examined, data=examination.data)


def examine_for_remote(target: Target, examination: Examination, pool: WarmPool, box: Box) -> ExaminationAnswer:
    """Return what an examiner of another machine wants to know."""
    examiner = Examiner(target, pool)
    examiner.deadline = time.monotonic() + examination.seconds
    data = examination.data
    if examination.is_about_validity:
        is_valid = examiner.is_valid(data, box)
        status = Status.UNKNOWN if is_valid is None else Status.GOOD if is_valid else Status.INVALID
        examined = Examined(data=b"", status=status)
    else:
        examined = examiner.examine(
            data, box, is_known_valid=examination.is_known_valid, is_trusted=examination.is_trusted
        )
        examined = replace(examined, data=b"")
        if examined.kind is None:
            examined = replace(examined, output=b"")  # that of the submission; no one needs it
    return ExaminationAnswer(
        examined=examined,
        runs=examiner.runs,
        faults=examiner.faults.first_details(),
        judging_failure=examiner.faults.judging_failure,
    )
