"""Make docs/screen.svg, the picture of the README, from a real run: `make screenshot`.

The picture needs no file and no font from elsewhere. Its times and memory are those of the machine that makes it.
"""

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

PICTURE = Path(__file__).parents[1] / "docs" / "screen.svg"
COMMAND = ("judge", "run", "demo/a.py")
COLUMNS = 84

_TEMPLATE = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
font-size: {char_height}px; line-height: {line_height}px }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def run() -> str:
    """Return what the command prints on a terminal, with its colours."""
    with tempfile.TemporaryDirectory() as name:
        environment = {
            **{key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "LC_ALL", "GITHUB_ACTIONS")},
            "FORCE_COLOR": "1",
            "COLUMNS": str(COLUMNS),
            "PYTHONIOENCODING": "utf-8",
            "XDG_CACHE_HOME": name,
        }
        subprocess.run([sys.executable, "-m", "judge", "demo"], cwd=name, check=True, stdout=subprocess.DEVNULL)
        command = [sys.executable, "-m", *COMMAND, "--format", "rich"]
        done = subprocess.run(command, cwd=name, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    return done.stdout


def draw(screen: str) -> str:
    """Return the picture of a screen, as SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="standard")
    console.print(Text.assemble(("$ ", "bold"), " ".join(COMMAND)))
    console.print(Text.from_ansi(screen))
    picture = console.export_svg(
        title="judge", theme=DIMMED_MONOKAI, code_format=_TEMPLATE, unique_id="judge", font_aspect_ratio=0.61
    )
    return "\n".join(line.strip() for line in picture.splitlines() if line.strip()) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(draw(run()), encoding="utf-8")
