"""The report of `judge scale`: laws, the largest size and its verification, as text with a plot, and as SVG."""

from collections.abc import Iterator

from judge.base.units import format_bytes, format_count, format_seconds
from judge.reporters.escape import ASCII, UNICODE, one_line
from judge.scaling.plot import Plot
from judge.scaling.plot import render_svg as render_plot_svg
from judge.scaling.plot import render_text as render_plot_text
from judge.scaling.result import Scaling


def render_scaling(found: Scaling, columns: int, *, is_unicode: bool) -> str:
    """Return the report as text."""
    glyphs = UNICODE if is_unicode else ASCII
    plot = render_plot_text(_plot(found), min(columns, 100) - 1, 14, is_unicode=is_unicode)
    lines = (f"{one_line(line, glyphs)}\n" for line in scaling_lines(found))
    return "".join(lines) + "\n" + "".join(f"{row}\n" for row in plot)


def scaling_lines(found: Scaling) -> list[str]:
    """Return the report without the plot."""
    first, last = found.points[0], found.points[-1]
    sizes = f"{first.size:,} to {last.size:,}" if len(found.points) > 1 else f"{first.size:,}"
    return [
        f"{found.path}: {found.time.name if found.time else 'no law'}",
        f"  inputs    {found.inputs}: {found.size_name} = {sizes}, {format_count(len(found.points), 'size')}",
        *_growths(found),
        *_largest(found),
        *(f"warning: {text}" for text in found.warnings),
    ]


def render_svg(found: Scaling) -> str:
    """Return the plot as an SVG document."""
    return render_plot_svg(_plot(found))


def _growths(found: Scaling) -> Iterator[str]:
    for name, growth, write in (
        ("time", found.time, format_seconds),
        ("memory", found.memory, lambda size: format_bytes(round(size))),
    ):
        if growth is None:
            continue
        best = growth.best
        if not best.step:
            yield f"  {name:<9} hardly any growth up to {found.size_name} = {best.reference:,}: {write(best.base)}"
            continue
        factor = f"{best.coefficient:.3g} B" if name == "memory" else _write_time(best.coefficient)
        yield f"  {name:<9} {growth.name}: {write(best.base)} + {factor} x {best.law.name}"
        if growth.exponent is not None and name == "time" and not best.law.is_exponential:
            exponent = growth.exponent
            yield f"  exponent  {exponent.value:.2f} ({exponent.low:.2f} to {exponent.high:.2f})"


def _largest(found: Scaling) -> Iterator[str]:
    limits, name = found.limits, found.size_name
    if found.failure is not None and found.failure.is_crash:
        yield f"  crash     {found.failure.verdict} at {name} = {found.failure.size:,}: {found.failure.reason}"
    if found.largest is None:
        if found.time is not None:
            yield f"  largest   no bound was found within {format_seconds(limits.cpu)}"
        return
    what = {
        "time limit": f"within the time limit of {format_seconds(limits.cpu)}",
        "memory limit": f"within the memory limit of {format_bytes(limits.memory)}",
        "largest size": f"all sizes are within {format_seconds(limits.cpu)} and {format_bytes(limits.memory)}",
    }.get(found.by, "the largest size that does not fail")
    yield f"  largest   {name} = {found.largest:,}: {what}"
    if found.by == "time limit" and found.largest_given and found.largest < found.largest_given:
        yield f"  too slow  for {name} = {found.largest_given:,}, the largest size of the problem"
    yield f"  verified  {_verification(found)}"


def _verification(found: Scaling) -> str:
    checked = found.verification
    if checked is None:
        return f"no: {found.not_verified}"
    predicted = format_seconds(checked.predicted)
    if checked.failure is not None:
        return f"NO: {checked.failure.verdict}, {checked.failure.reason}; predicted {predicted}"
    assert checked.point is not None
    took = f"{format_seconds(checked.point.cpu)} and {format_bytes(checked.point.memory)}, predicted {predicted}"
    return took if checked.is_within else f"NO: {took}"


def _plot(found: Scaling) -> Plot:
    growth = found.time
    checked = found.verification.point if found.verification else None
    return Plot(
        title=one_line(f"{found.path}: {growth.name if growth else 'no law'}", UNICODE),
        size_name=one_line(found.size_name, UNICODE),
        points=[(each.size, max(each.cpu, 1e-6)) for each in found.points],
        curve=(lambda size: growth.best.predict(round(size))) if growth else None,
        limit=found.limits.cpu,
        checked=(checked.size, checked.cpu) if checked else None,
        format_value=_write_time,
        is_exponential=growth is not None and growth.best.law.is_exponential,
    )


def _write_time(seconds: float) -> str:
    """Write a time of any size: `200 us`, `5 ms`, `2 s`."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if seconds * factor >= 0.9999:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.2e} s"
