"""Images that programs of a package draw of a case.

    input_visualizer     PROGRAM INPUT ANSWER [ARGUMENT ...]
                         writes testcase.EXT into its current folder
    output_visualizer    PROGRAM INPUT ANSWER FEEDBACK/ [ARGUMENT ...] < OUTPUT
                         writes judgeimage.EXT and teamimage.EXT, or several such as teamimage-1.EXT, into FEEDBACK

(ICPC 2025-09, "Input visualizer", "Output visualizer"; BAPCtools.) They run in the sandbox. What they write may be
anything: it is shown as an image only, in which no script runs.
"""

import os
import re
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.units import MIB
from judge.judging.program_files import FeedbackError, ProgramFiles
from judge.judging.programs import JudgePrograms, UnusableProgram
from judge.model import Case, Problem
from judge.model.programs import JudgeProgram
from judge.preparation.cases import DataStore, MapRuns
from judge.preparation.confirm import find_failure
from judge.sandbox.box import Box

INPUT, OUTPUT = "input_visualizer", "output_visualizer"
_IMAGE = re.compile(r"(?:testcase|judgeimage|teamimage)(?:-[\w.-]+)?\.(svg|png|jpe?g)")
IMAGE_TYPES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml", ".gif": "image/gif",
}  # fmt: skip
"""The media types of the images that pages can show, by the suffixes of their files."""
_MOST = 4  # images of a program
_LARGEST = MIB


class Image(Struct, frozen=True, kw_only=True):
    """An image that a program of the problem has drawn.

    Attributes:
        program: the name of its folder.
        name: of the file.
        type: its media type.
    """

    program: str
    name: str
    type: str
    data: bytes

    @property
    def title(self) -> str:
        """What it is, in a line."""
        return f"{self.name} of the {self.program.replace('_', ' ')}"


def visualize(
    problem: Problem,
    case: Case,
    store: DataStore,
    map_runs: MapRuns,
    *,
    given: Data,
    answer: Data,
    output: bytes | None,
) -> tuple[list[Image], list[str]]:
    """Return the images that the visualizers of a package draw, if it has any; of an output, if there is one.

    With what went wrong, a sentence each.
    """
    images, notes = list[Image](), list[str]()
    if problem.folder is None or not problem.is_package:
        return images, notes
    programs = JudgePrograms(problem, store.build, store.programs, store.testlib)
    for name, stdin, args in ((INPUT, None, case.visualizer_args[0]), (OUTPUT, output, case.visualizer_args[1])):
        folder = problem.folder / name
        if not folder.is_dir() or (name == OUTPUT and output is None):
            continue
        wanted = JudgeProgram(source=folder)
        run = partial(_run, programs=programs, wanted=wanted, stdin=stdin, args=args, given=given, answer=answer)
        found = next(iter(map_runs(lambda box, run: run(box), [run])))
        if isinstance(found, str):
            notes.append(found)
        else:
            images += found
    return images, notes


def _run(
    box: Box,
    *,
    programs: JudgePrograms,
    wanted: JudgeProgram,
    stdin: bytes | None,
    args: tuple[str, ...],
    given: Data,
    answer: Data,
) -> list[Image] | str:
    """Run a visualizer; return what it drew, or what went wrong."""
    ready = programs.get(wanted, box)
    if isinstance(ready, UnusableProgram):
        return ready.reason
    files = ProgramFiles(box.partner.work_folder)
    files.clear_feedback()
    words = [str(files.write("input", given)), str(files.write("answer", answer))]
    words += [] if stdin is None else [files.feedback_argument]
    command = files.add_to(ready.program.command(stdin or b"", ready.limits, (*words, *args)), ready.limits)
    failure = find_failure(box.partner.run(replace(command, cwd=None), ready.limits), ready.program, ready.limits)
    if failure is not None:
        return f"the {wanted.source.name} fails: {failure.reason}"
    images = []
    try:
        names = sorted(each for each in os.listdir(files.feedback) if _IMAGE.fullmatch(each))  # noqa: PTH208
        for name in names[:_MOST]:
            data, kind = files.take(name, _LARGEST) or b"", IMAGE_TYPES[os.path.splitext(name)[1]]  # noqa: PTH122
            images.append(Image(program=wanted.source.name, name=name, type=kind, data=data))
    except FeedbackError as error:
        return f"the {wanted.source.name} writes no image: {error}"
    return images or f"the {wanted.source.name} writes no image; expected testcase.svg or .png, for example"
