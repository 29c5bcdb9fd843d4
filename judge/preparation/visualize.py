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
    if (folder := problem.folder) is None or not problem.is_package:
        return images, notes
    programs = JudgePrograms(problem, store.build, store.programs, store.testlib)

    def draw(box: Box, name: str) -> list[Image] | str:
        """Run a visualizer; return what it drew, or what went wrong."""
        ready = programs.get(JudgeProgram(source=folder / name), box)
        if isinstance(ready, UnusableProgram):
            return ready.reason
        files = ProgramFiles(box.partner.work_folder)
        files.clear_feedback()
        words = [str(files.write("input", given)), str(files.write("answer", answer))]
        words += [files.feedback_argument] if name == OUTPUT else []
        words += case.visualizer_args[name == OUTPUT]
        command = ready.program.command((output or b"") if name == OUTPUT else b"", ready.limits, tuple(words))
        command = replace(files.add_to(command, ready.limits), cwd=None)
        if failure := find_failure(box.partner.run(command, ready.limits), ready.program, ready.limits):
            return f"the {name} fails: {failure.reason}"
        drawn = []
        try:
            found = sorted(each for each in os.listdir(files.feedback) if _IMAGE.fullmatch(each))  # noqa: PTH208
            for each in found[:_MOST]:
                data, kind = files.take(each, _LARGEST) or b"", IMAGE_TYPES[os.path.splitext(each)[1]]  # noqa: PTH122
                drawn.append(Image(program=name, name=each, type=kind, data=data))
        except FeedbackError as error:
            return f"the {name} writes no image: {error}"
        return drawn or f"the {name} writes no image; expected testcase.svg or .png, for example"

    names = [name for name in (INPUT, OUTPUT) if (folder / name).is_dir() and (name == INPUT or output is not None)]
    for found in map_runs(draw, names):
        if isinstance(found, str):
            notes.append(found)
        else:
            images += found
    return images, notes
