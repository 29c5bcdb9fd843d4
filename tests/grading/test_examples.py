"""The examples of docs/grade.md run as they are written."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "grade.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)

# What Inspect does with the scorer of the page; an evaluation with a model needs the network.
_SCORE = """
from inspect_ai.model import ModelOutput

async def run(text):
    state = TaskState(
        model="mockllm/model", sample_id=1, epoch=1, input="add", messages=[],
        output=ModelOutput.from_content("mockllm/model", text),
        metadata={"tests": [{"input": "1 2", "output": "3"}]},
    )
    return (await passes_tests()(state, Target(""))).value

print([asyncio.run(run(text)) for text in ("```python\\nprint(sum(map(int, input().split())))\\n```", "1/0")])
"""


@pytest.mark.thorough
@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_page_runs_as_written(example: str, tmp_path: Path) -> None:
    if "inspect_ai" in example:
        if find_spec("inspect_ai") is None:
            pytest.skip("inspect-ai is not installed")
        example += _SCORE
    command = [sys.executable, "-c", example]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for expected in re.findall(r"  # (\S.*)$", example, re.MULTILINE):
        assert expected in ran.stdout
    if "inspect_ai" in example:
        assert "[1.0, 0.0]" in ran.stdout
