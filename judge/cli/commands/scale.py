"""`judge scale`: how the time and memory of a solution grow with its input, and the largest size in time."""

import json
import math
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from judge.base.errors import UsageError
from judge.base.units import Seconds, format_seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_source, open_session
from judge.reporters import OutputOptions, stream_width, supports_unicode
from judge.reporters.formatting import format_limits
from judge.reporters.progress import StatusLine, progress_beside
from judge.reporters.scaling import render_scaling, render_svg, scaling_lines
from judge.scaling.plot import SVG_START
from judge.scaling.result import Scaling, scaling_record

if TYPE_CHECKING:  # imported when something is measured: help and completion need none of them
    from judge.reporters.html.page import OutputFile, PageFile
    from judge.scaling.experiment import Experiment

EPILOG = """\
The solution runs on inputs of growing size; a law of growth such as n log n is fitted to its CPU times, and another
one to its memory. The largest size within the time limit is predicted, and verified by one run. Outputs are not
checked.

The inputs come from --gen, or else from the problem: a generator of its cases, whose largest number is the size.
GENERATOR is a program in any language that gets the size and a seed as arguments and prints the input; or, in quotes,
a command with {n} and {seed} where they go; or the name of a generator in the problem's case files.

examples:
  judge scale sort.py --gen gen.py
  judge scale tree.cpp --gen "gen.cpp --nodes {n} --seed {seed}" --time-limit 1
  judge scale solutions/uva131/accepted/try_all.py --svg growth.svg
  judge scale solutions/holdem/accepted/tables.py --gen mixed -f json
  judge scale sort.py --gen gen.py --html growth.html    with the plot, as one file for a browser

exit status: 0 if it was measured, 1 if the solution crashes at some size, or is not within its limits at the largest
size of the problem or of --max, 2 for wrong usage or an error of the judge
"""


class Options(shared.LimitArguments, frozen=True, kw_only=True):
    """What `judge scale` measures, and how it reports it."""

    file: Annotated[Path, positional("FILE", "the solution")]
    generator: Annotated[
        str, option("what makes the inputs (default: a generator of the problem)", "--gen", metavar="GENERATOR")
    ] = ""
    size: Annotated[str, option("the parameter of the problem's generator that is the size", metavar="NAME")] = ""
    seed: Annotated[int, option("for the generator (default: 1)", between=(0, math.inf))] = 1
    smallest: Annotated[int | None, option("the first size (default: 4)", "--min", between=(1, 10**18))] = None
    largest: Annotated[
        int | None, option("the last size (default: that of the problem, if known)", "--max", between=(1, 10**18))
    ] = None
    time: Annotated[Seconds | None, option("how long to measure, in seconds, or such as `1 min` (default: 20 s)")] = (
        None
    )
    svg: Annotated[Path | None, option("write the plot to this file, as SVG", metavar="OUT")] = None
    format: shared.Format = "text"
    page: shared.PageArguments
    python: shared.Python = None
    problem: shared.Problem = None
    cases: shared.Cases = None
    include: shared.Include = ()
    jobs: int | None = 1  # other runs would disturb the times

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smallest is not None and self.largest is not None and self.smallest >= self.largest:
            raise UsageError(f"--min {self.smallest}: expected less than --max {self.largest}")


def execute(options: Options) -> ExitStatus:
    """Measure and report; return the exit status."""
    from judge.scaling.experiment import Experiment
    from judge.scaling.sized_inputs import BUDGET, ScalingOptions

    page = options.page.open(svg=options.svg)
    plot = None
    if options.svg is not None:
        from judge.reporters.html.page import OutputFile

        plot = OutputFile("--svg", options.svg, "plot", [SVG_START.encode()], advice="choose another file")
    scaling_options = ScalingOptions(
        generator=options.generator,
        size=options.size,
        seed=options.seed,
        smallest=options.smallest,
        largest=options.largest,
        budget=options.time or BUDGET,
        overrides=options.overrides,
    )
    workspace, source = find_source(options.root, options.file, options.problem, options.cases)
    with open_session(workspace, options.session) as session:
        experiment = Experiment(source, session, scaling_options)
        found, was_interrupted = _measure(experiment, options.format)
        _report(found, options, page, plot, was_interrupted=was_interrupted)
    if was_interrupted:
        raise KeyboardInterrupt
    return ExitStatus.SUCCESS if found.is_fine else ExitStatus.FAILURE


def _measure(experiment: "Experiment", report: str) -> "tuple[Scaling, bool]":
    """Return what was measured, and whether a signal ended it early; show progress beside a report of a format.

    Raises:
        Interrupted: nothing was measured before the signal.
    """
    from judge.runner.executors import Interrupted

    try:
        with StatusLine(sys.stderr, progress_beside(report, sys.stderr)) as line:
            for point in experiment.measure():
                text = f"{experiment.inputs.size_name} = {point.size:,}: {format_seconds(point.cpu)}"
                line.show(partial(str, text))
            return experiment.conclude(), False
    except Interrupted:
        if not experiment.has_points:
            raise
        return experiment.conclude(verifies=False), True


def _report(
    found: Scaling, options: Options, page: "PageFile | None", plot: "OutputFile | None", *, was_interrupted: bool
) -> None:
    if plot is not None:
        plot.write_bytes(render_svg(found).encode())
    if options.format == "json":
        print(json.dumps(scaling_record(found), indent=1))
    else:
        columns = stream_width(sys.stdout, OutputOptions())
        sys.stdout.write(render_scaling(found, columns, is_unicode=supports_unicode(sys.stdout)))
    if page is not None:
        page.write(
            "scale.html",
            render_scaling(found, 80, is_unicode=False),  # of the plot that `judge show` prints
            scaling_record(found),
            title=f"Growth of {found.path}",
            found=found,
            text="\n".join(scaling_lines(found)),
            plot=render_svg(found),
            limits=format_limits(found.limits),
            was_interrupted=was_interrupted,
        )
