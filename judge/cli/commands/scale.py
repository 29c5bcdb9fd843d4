"""`judge scale`: how the time and memory of a solution grow with its input, and the largest size in time."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.session import find_source, open_session
from judge.runner.options import Overrides
from judge.workspace.options import SessionOptions

if TYPE_CHECKING:  # imported when something is measured: help and completion need none of them
    from judge.scaling.experiment import Experiment, ScalingOptions
    from judge.scaling.result import Point, Scaling

EPILOG = """\
The solution runs on inputs of growing size; a law of growth such as n log n is fitted to its CPU times, and another
one to its memory. The largest size within the time limit is predicted, and verified by one run. Outputs are not
checked.

The inputs come from --gen, or else from the problem: a generator of its cases, whose largest number is the size.
GENERATOR is a program in any language that gets the size and a seed as arguments and prints the input; or, in quotes,
a command with {n} and {seed} where they go; or the name of a generator in the problem's case files.

examples:
  judge scale sort.py --gen gen.py
  judge scale tree.cpp --gen "gen.cpp --nodes {n} --depth 5 --seed {seed}" --time-limit 1
  judge scale solutions/uva131/accepted/try_all.py --svg growth.svg
  judge scale solutions/holdem/accepted/tables.py --gen mixed -f json

exit status: 0 if it was measured, 1 if the solution crashes at some size, or is not within its limits at the largest
size of the problem or of --max, 2 for wrong usage or an error of the judge
"""


class Options(Struct, frozen=True, kw_only=True):
    """What `judge scale` measures, and how it reports it."""

    root: Path | None
    file: Path
    problem: str | None
    cases: Path | None
    generator: str
    size: str
    seed: int
    smallest: int | None
    largest: int | None
    budget: Seconds | None
    overrides: Overrides
    svg: Path | None
    format: str
    session: SessionOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge scale`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the solution")
    parser.add_argument(
        "--gen", default="", metavar="GENERATOR", help="what makes the inputs (default: a generator of the problem)"
    )
    parser.add_argument(
        "--size", default="", metavar="NAME", help="the parameter of the problem's generator that is the size"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for the generator (default: 1)")
    parser.add_argument("--min", type=int, metavar="N", help="the first size (default: 4)")
    parser.add_argument("--max", type=int, metavar="N", help="the last size (default: that of the problem, if known)")
    parser.add_argument(
        "--time", metavar="TIME", help="how long to measure, in seconds, or such as `1 min` (default: 20 s)"
    )
    parser.add_argument(
        "--time-limit", metavar="TIME", help="CPU seconds, or such as `800 ms` (default: the problem's, or 2 s)"
    )
    parser.add_argument(
        "--memory-limit", metavar="SIZE", help="MiB, or such as `1 GiB` (default: the problem's, or 256 MiB)"
    )
    parser.add_argument("--svg", type=Path, metavar="OUT", help="write the plot to this file, as SVG")
    shared.add_format(parser)
    shared.add_python(parser, "runs the solution")
    shared.add_problem(parser)
    shared.add_include(parser)
    shared.add_required_level(parser)
    shared.add_profile(parser)
    parser.set_defaults(jobs=1)  # other runs would disturb the times


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    for name, value in (("--min", args.min), ("--max", args.max)):
        if value is not None and not 1 <= value <= 10**18:
            raise UsageError(f"{name} {value}: expected a size from 1 to 10^18")
    if args.min is not None and args.max is not None and args.min >= args.max:
        raise UsageError(f"--min {args.min}: expected less than --max {args.max}")
    if args.seed < 0:
        raise UsageError(f"--seed {args.seed}: expected a number from 0")
    return Options(
        root=args.root,
        file=args.file,
        problem=args.problem,
        cases=args.cases,
        generator=args.gen,
        size=args.size,
        seed=args.seed,
        smallest=args.min,
        largest=args.max,
        budget=None if args.time is None else shared.parse_time("--time", args.time),
        overrides=shared.limits_from(args.time_limit, args.memory_limit),
        svg=args.svg,
        format=args.format,
        session=shared.session_from(args),
    )


def execute(options: Options) -> ExitStatus:
    """Measure and report; return the exit status."""
    from judge.scaling.experiment import Experiment

    workspace, source = find_source(options.root, options.file, options.problem, options.cases)
    with open_session(workspace, options.session) as session:
        experiment = Experiment(source, session, _scaling_options(options))
        found, was_interrupted = _measure(experiment, is_shown=options.format == "text" and sys.stderr.isatty())
    _report(found, options)
    if was_interrupted:
        raise KeyboardInterrupt
    return ExitStatus.SUCCESS if found.is_fine else ExitStatus.FAILURE


def _measure(experiment: "Experiment", *, is_shown: bool) -> "tuple[Scaling, bool]":
    """Return what was measured, and whether a signal ended it early.

    Raises:
        Interrupted: nothing was measured before the signal.
    """
    from judge.runner.executors import Interrupted

    try:
        for point in experiment.measure():
            if is_shown:
                _show_progress(point, experiment.inputs.size_name)
        return experiment.conclude(), False
    except Interrupted:
        if not experiment.has_points:
            raise
        return experiment.conclude(verifies=False), True
    finally:
        if is_shown:
            sys.stderr.write("\r\033[K")


def _scaling_options(options: Options) -> "ScalingOptions":
    from judge.scaling.experiment import BUDGET, ScalingOptions
    from judge.scaling.sized_inputs import InputOptions

    return ScalingOptions(
        inputs=InputOptions(generator=options.generator, size=options.size, seed=options.seed),
        smallest=options.smallest,
        largest=options.largest,
        budget=options.budget or BUDGET,
        overrides=options.overrides,
    )


def _show_progress(point: "Point", name: str) -> None:
    from judge.base.units import format_seconds

    sys.stderr.write(f"\r\033[K{name} = {point.size:,}: {format_seconds(point.cpu)}")
    sys.stderr.flush()


def _report(found: "Scaling", options: Options) -> None:
    from judge.reporters.scaling import render_scaling, render_svg

    if options.svg is not None:
        from judge.base.files import write_atomically

        write_atomically(options.svg, render_svg(found).encode())
    if options.format == "json":
        from judge.scaling.result import scaling_record

        print(json.dumps(scaling_record(found), indent=1))
        return
    from judge.reporters import OutputOptions, stream_width, supports_unicode

    columns = stream_width(sys.stdout, OutputOptions())
    sys.stdout.write(render_scaling(found, columns, is_unicode=supports_unicode(sys.stdout)))
