"""Variants of a submission: which of them runs on an input, and what it says about a submission that does not fail."""

from msgspec.structs import replace

from judge.hack.values import Examined, Kind, Status, Target, VariedProgram
from judge.judging.judge import extract_excerpt_of
from judge.model import CaseResult, Verdict
from judge.runner.sanitize import cause_of, is_fault

_SHARE = 4  # of so many inputs that a reference answers, one


def next_variant(target: Target, turn: int, length: int, *, is_trusted: bool) -> str | None:
    """Return the name of the variant that runs on an input of so many bytes if the submission does not fail, or None.

    All variants come in turn; a case, which `is_trusted`, always gets one.
    """
    turn, is_spared = divmod(turn, _SHARE if target.references and not is_trusted else 1)
    fitting = [each.name for each in target.variants if length <= (each.largest_input or length)]
    return fitting[turn % len(fitting)] if fitting and not is_spared else None


def add_fault(found: Examined, variant: VariedProgram, result: CaseResult, output: bytes) -> Examined:
    """Return what is known of an input with the result of a variant: it fails if that shows a mistake."""
    if not is_fault(result, may_crash=variant.may_crash, may_differ=variant.may_differ):
        return found
    reason, detail = f"another output: {result.reason}", ""
    if result.verdict is Verdict.RTE and result.run is not None:
        reason = result.run.crash or result.reason
        detail = cause_of(result.run.crash_line, reason)
    return replace(
        found,
        status=Status.FAILED,
        kind=Kind(result.verdict, detail, variant.name),
        output=output,
        mismatch=result.mismatch,
        cause=f"with {variant.name}: {reason}",
    )


def name_cause(examined: Examined) -> str:
    """Return what failures of one cause share that only variants show; "" for those of the submission itself."""
    return (examined.kind.detail or "another output") if examined.kind is not None and examined.variant else ""


def describe_luck(found: Examined, target: Target) -> CaseResult:
    """Return the result of a submission that only a variant shows to be wrong."""
    is_right = found.expected is not None or target.has_dialogue or target.checker.program is not None
    return CaseResult(
        case=target.case(found.data),
        verdict=Verdict.AC if is_right else Verdict.NA,
        reason="the output is right by luck" if is_right else "there is no reference to compare the output with",
        run=found.run,
        mismatch=found.mismatch,
        excerpt=extract_excerpt_of(found.data, b"", found.mismatch),
    )
