"""The other scorers of `bench_grade`, for an interpreter that has them: python grade_peers.py NAME ROWS.jsonl WORKERS.

pool   a pool of threads, each starting `python -I` per test with subprocess: what people write first; no sandbox
verl   verl.utils.reward_score.prime_code of the package verl, in a pool of processes, as its reward manager runs it
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
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


def main() -> None:
    """Score all rows; print the seconds, and the ids of the accepted ones as JSON."""
    name, path, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rows = [json.loads(line) for line in Path(path).read_text().splitlines()]
    begun = time.perf_counter()
    if name == "pool":
        with ThreadPoolExecutor(workers) as threads:
            found = list(threads.map(score_by_pool, rows))
    else:
        with ProcessPoolExecutor(workers) as processes:
            found = list(processes.map(score_by_verl, rows))
    elapsed = time.perf_counter() - begun
    accepted = [row["id"] for row, is_accepted in zip(rows, found, strict=True) if is_accepted]
    print(json.dumps({"seconds": elapsed, "accepted": accepted}), flush=True)
    os._exit(0)  # whatever the scorer has left running


if __name__ == "__main__":
    main()
