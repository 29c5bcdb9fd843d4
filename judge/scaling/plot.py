"""Plots of measurements and their law: in characters for a terminal, and as an SVG picture.

Both axes are logarithmic, except that of the sizes if the law is exponential: then it is a straight line, too.
"""

import math
from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

_SVG_WIDTH, _SVG_HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 24, 44, 52  # margins
_FONT = 'font-family="system-ui, sans-serif" font-size="13"'
_MAX_TICKS = 6
SVG_START = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SVG_WIDTH} {_SVG_HEIGHT}" role="img" {_FONT}>'
"""The beginning of plots; files that have it are overwritten."""


class Plot(Struct, frozen=True, kw_only=True):
    """What to plot: positive values by size, in the order of the sizes, and the size and value of the verifying run.

    `curve` returns the value by the law, if there is one. If that is exponential, the axis of the sizes is linear.
    """

    title: str
    size_name: str
    points: Sequence[tuple[float, float]]
    curve: Callable[[float], float] | None
    limit: float
    checked: tuple[float, float] | None
    format_value: Callable[[float], str]
    is_exponential: bool = False


_TO_ASCII = str.maketrans("●·╌◆│└─", "o.-x|+-")


class _Axis(Struct, frozen=True):
    low: float
    high: float
    is_linear: bool = False

    def place(self, value: float) -> float:
        """Return where a value is, from 0 to 1 if it is on the axis."""
        if self.is_linear:
            return (value - self.low) / ((self.high - self.low) or 1)
        return math.log(value / self.low) / (math.log(self.high / self.low) or 1)

    def value(self, place: float) -> float:
        """Return the value at a place from 0 to 1."""
        if self.is_linear:
            return self.low + place * (self.high - self.low)
        return self.low * math.exp(place * math.log(self.high / self.low))

    def ticks(self) -> list[float]:
        """Return round values: powers of ten, or of 100 and so on if there are many; between them 2 and 5 if few."""
        if self.is_linear:
            step = 10 ** math.floor(math.log10(max(self.high - self.low, 1)))
            step = next(each for each in (step / 5, step / 2, step) if (self.high - self.low) / each <= _MAX_TICKS + 1)
            first = math.ceil(self.low / max(step, 1)) * max(step, 1)
            return [first + max(step, 1) * at for at in range(_MAX_TICKS + 2) if first + max(step, 1) * at <= self.high]
        low, high = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        every = max(1, math.ceil((high - low) / _MAX_TICKS))
        ratio = self.high / self.low
        factors = (1,) if ratio > 100 else (1, 2, 5) if ratio > 10 else range(1, 10)
        values = [factor * 10.0**power for power in range(low, high + 1, every) for factor in factors]
        return [each for each in values if self.low <= each <= self.high * 1.0001]


def _axes(plot: Plot) -> tuple[_Axis, _Axis]:
    """Return the axes; the limit is on the vertical one if it is not far above the values."""
    points = [*plot.points, *([plot.checked] if plot.checked else [])]
    sizes, values = [size for size, _ in points], [value for _, value in points]
    top = plot.limit if plot.limit < 100 * max(values) else max(values)
    return (
        _Axis(min(sizes), max(*sizes, min(sizes) + 1), is_linear=plot.is_exponential),
        _Axis(min(values) / 1.2, max(top, *values) * 1.2),
    )


# ---- terminal ------------------------------------------------------------------------------------------------------


def render_text(plot: Plot, columns: int, rows: int, *, is_unicode: bool) -> list[str]:
    """Return the plot as lines of at most this many columns: `o` measured, `.` the law, `-` the limit, `x` verified."""
    across, up = _axes(plot)
    labels = {_row(up, tick, rows): plot.format_value(tick) for tick in up.ticks()}
    margin = max(map(len, labels.values()), default=0)
    width = max(columns - margin - 2, 10)
    grid = [[" "] * width for _ in range(rows)]
    if plot.limit <= up.high:
        grid[_row(up, plot.limit, rows)] = ["╌"] * width
    if plot.curve is not None:
        for column in range(width):
            value = plot.curve(max(across.value(column / (width - 1)), 1.0))
            if up.low <= value <= up.high:
                grid[_row(up, value, rows)][column] = "·"
    for size, value in plot.points:
        grid[_row(up, value, rows)][_column(across, size, width)] = "●"
    if plot.checked is not None:
        grid[_row(up, plot.checked[1], rows)][_column(across, plot.checked[0], width)] = "◆"
    lines = [f"{labels.get(number, ''):>{margin}} │{''.join(row).rstrip()}" for number, row in enumerate(grid)]
    lines.append(f"{'':>{margin}} └{'─' * width}")
    lines = lines if is_unicode else [line.translate(_TO_ASCII) for line in lines]
    return [*lines, f"{'':>{margin}}  {_size_labels(plot, across, width)}"]


def _row(axis: _Axis, value: float, rows: int) -> int:
    return min(max(rows - 1 - round(axis.place(value) * (rows - 1)), 0), rows - 1)


def _column(axis: _Axis, size: float, width: int) -> int:
    return min(max(round(axis.place(size) * (width - 1)), 0), width - 1)


def _size_labels(plot: Plot, axis: _Axis, width: int) -> str:
    """Return the line below the axis: the sizes that fit, and the name of the axis at its end."""
    end = f"{plot.size_name} "
    text = ""
    for tick in axis.ticks():
        label, at = format_size(tick), _column(axis, tick, width)
        if at >= len(text) + bool(text) and at + len(label) < width - len(end):
            text = text.ljust(at) + label
    return f"{text.ljust(width - len(end))}{end}".rstrip()


def format_size(size: float) -> str:
    """Write a size briefly: `500`, `20k`, `1M`, `10^12`."""
    for unit, name in ((10**9, ""), (10**6, "M"), (10**3, "k")):
        if size >= unit and unit < 10**9:
            return f"{size / unit:g}{name}"
        if size >= unit:
            power = math.log10(size)
            return f"10^{power:.0f}" if abs(power - round(power)) < 1e-9 else f"{size:.0e}"
    return f"{size:g}"


# ---- SVG -----------------------------------------------------------------------------------------------------------


def render_svg(plot: Plot) -> str:
    """Return the plot as an SVG document that needs nothing else; it fits light and dark pages."""
    across, up = _axes(plot)
    width, height = _SVG_WIDTH - _LEFT - _RIGHT, _SVG_HEIGHT - _TOP - _BOTTOM

    def x(size: float) -> float:
        return _LEFT + across.place(size) * width

    def y(value: float) -> float:
        return _TOP + (1 - up.place(value)) * height

    bottom, end = _SVG_HEIGHT - _BOTTOM, _SVG_WIDTH - _RIGHT
    parts = [
        SVG_START,
        f"<title>{escape(plot.title)}</title>",
        f'<rect width="{_SVG_WIDTH}" height="{_SVG_HEIGHT}" fill="#fff"/>',
        _label(_LEFT, 26, plot.title, 'font-size="15" font-weight="600"'),
        _path(f"M{_LEFT} {_TOP}V{bottom}H{end}", 'fill="none" stroke="#444"'),
    ]
    for tick in across.ticks():
        parts.append(_path(f"M{x(tick):.1f} {_TOP}V{bottom}", 'stroke="#e4e4e4"'))
        parts.append(_label(x(tick), bottom + 20, format_size(tick), 'text-anchor="middle"'))
    for tick in up.ticks():
        parts.append(_path(f"M{_LEFT} {y(tick):.1f}H{end}", 'stroke="#e4e4e4"'))
        parts.append(_label(_LEFT - 8, y(tick) + 4, plot.format_value(tick), 'text-anchor="end"'))
    parts.append(_label((_LEFT + end) / 2, _SVG_HEIGHT - 12, plot.size_name, 'text-anchor="middle"'))
    if plot.limit <= up.high:
        at, text = y(plot.limit), f"limit {plot.format_value(plot.limit)}"
        parts.append(_path(f"M{_LEFT} {at:.1f}H{end}", 'stroke="#c0392b" stroke-dasharray="6 4"'))
        parts.append(_label(end, at - 6, text, 'text-anchor="end" fill="#c0392b"'))
    if plot.curve is not None:
        sizes = [max(across.value(number / 200), 1.0) for number in range(201)]
        places = [f"{x(size):.1f} {y(value):.1f}" for size in sizes if up.low <= (value := plot.curve(size)) <= up.high]
        line = "L".join(places)
        parts.append(_path(f"M{line}", 'fill="none" stroke="#1f6fb4" stroke-opacity="0.5" stroke-width="2"'))
    for size, value in plot.points:
        text = f"{size:,.0f}: {escape(plot.format_value(value))}"
        parts.append(
            f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="4" fill="#1f6fb4"><title>{text}</title></circle>'
        )
    if plot.checked is not None:
        size, value = plot.checked
        cross = f"M{x(size) - 5:.1f} {y(value) - 5:.1f}l10 10m0 -10l-10 10"
        text = f"verified: {size:,.0f}: {escape(plot.format_value(value))}"
        parts.append(f'<path d="{cross}" stroke="#1e8449" stroke-width="2.5"><title>{text}</title></path>')
    return "\n".join([*parts, "</svg>", ""])


def _path(places: str, style: str) -> str:
    return f'<path d="{places}" {style}/>'


def _label(left: float, top: float, text: str, style: str) -> str:
    return f'<text x="{left:.1f}" y="{top:.1f}" {style}>{escape(text)}</text>'
