"""The other scorers of `bench_grade`, for an interpreter that has them.

python grade_peers.py NAME ROWS.jsonl WORKERS URL

pool     a pool of threads, each starting `python -I` per test with subprocess: what people write first; no sandbox
verl     verl.utils.reward_score.prime_code of the package verl, in a pool of processes, as its reward manager runs it
fusion   a server of SandboxFusion at URL (empty for the others), to which WORKERS threads submit; it runs up to 3 tests
         of a submission at once
scalebox the same of ScaleBox, whose executor runs several tests of a submission in one process, one after the other
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def score_by_pool(row: Row) -> bool:
    """Run a cold interpreter for each test until one fails; compare tokens."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a.py"
        source.write_text(row["code"])
        for test in row["tests"]:
            try:
                ran = subprocess.run(
                    [sys.executable, "-I", source],
                    input=test["input"].encode(),
                    capture_output=True,
                    timeout=row["limits"]["time_s"],
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return False
            if ran.returncode or ran.stdout.split() != test["output"].encode().split():
                return False
    return True


def score_by_verl(row: Row) -> bool:
    """Call verl's scorer."""
    module = sys.modules.get("prime_code") or _import_prime_code()
    tests = {name: [test[name[:-1]] for test in row["tests"]] for name in ("inputs", "outputs")}
    try:
        return bool(module.compute_score(row["code"], tests, continuous=True)[0] == 1)
    except Exception:  # noqa: BLE001 - an error of the scorer, which its caller would have to handle
        return False


def _import_prime_code() -> Any:
    """Import the scorer alone: the package verl itself needs torch."""
    found = importlib.util.find_spec("verl")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0]) / "utils/reward_score"
    sys.path.insert(0, str(folder))
    return importlib.import_module("prime_code")


def score_by_fusion(url: str, row: Row) -> bool:
    """Submit to SandboxFusion, with the tests in its format; an error of the server raises."""
    tests = [{"input": {"stdin": test["input"]}, "output": {"stdout": test["output"]}} for test in row["tests"]]
    config = {
        "dataset_type": "CommonOJDataset",
        "language": "python",
        "run_timeout": row["limits"]["time_s"],
        "provided_data": {"test": tests},
    }
    return _submit(f"{url}/submit", row, config)


def score_by_scalebox(url: str, row: Row) -> bool:
    """Submit to ScaleBox; an error of the server raises."""
    tests = {name: [test[name] for test in row["tests"]] for name in ("input", "output")}
    config = {
        "language": "python",
        "run_timeout": row["limits"]["time_s"],
        "provided_data": {"test_cases": {"type": "stdin_stdout", "fn_name": None, **tests}},
    }
    return _submit(f"{url}/common_evaluate_batch", row, config)


def _submit(url: str, row: Row, config: dict[str, Any]) -> bool:
    completion = f"```python\n{row['code']}```\n"
    data = {"dataset": "rows", "id": row["id"], "completion": completion, "config": config}
    request = urllib.request.Request(url, json.dumps(data).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return bool(json.load(answer)["accepted"])


def main() -> None:
    """Score all rows; print the seconds, and the ids of the accepted ones as JSON."""
    name, path, workers, url = sys.argv[1:]
    rows = [json.loads(line) for line in Path(path).read_text().splitlines()]
    scorers: dict[str, Callable[[Row], bool]] = {
        "pool": score_by_pool,
        "verl": score_by_verl,
        "fusion": partial(score_by_fusion, url),
        "scalebox": partial(score_by_scalebox, url),
    }
    begun = time.perf_counter()
    with ProcessPoolExecutor(int(workers)) if name == "verl" else ThreadPoolExecutor(int(workers)) as pool:
        found = list(pool.map(scorers[name], rows))
    elapsed = time.perf_counter() - begun
    accepted = [row["id"] for row, is_accepted in zip(rows, found, strict=True) if is_accepted]
    print(json.dumps({"seconds": elapsed, "accepted": accepted}), flush=True)
    os._exit(0)  # whatever the scorer has left running


if __name__ == "__main__":
    main()
