"""External inputs: files that may not be in the repository; only a file with the right hash is ever used."""

import os
from collections.abc import Sequence
from pathlib import Path

from judge.errors import StoreError
from judge.model import External
from judge.testdata.objects import Objects, digest_of, digest_of_file

DATA_VARIABLE = "JUDGE_DATA"
_TIMEOUT_S = 30
_LARGEST = 1 << 30


def find_external(
    wanted: External, problem: str, folders: Sequence[Path], objects: Objects
) -> tuple[Path | bytes | None, str]:
    """Look for an external file.

    Args:
        wanted: which file.
        problem: the problem's id; a folder may have a sub-folder of that name.
        folders: where to look, best first, before what `judge fetch` has kept.
        objects: what `judge fetch` has kept.

    Returns:
        The file and "", or None and a text about files of that name that have another hash ("" when there are none).
    """
    wrong = []
    for folder in folders:
        for path in (folder / problem / wanted.file, folder / wanted.file):
            if path.is_file():
                found = digest_of_file(path)
                if found == wanted.sha256:
                    return path, ""
                wrong.append(f"{path} has the sha256 {found}, expected {wanted.sha256}")
    return objects.find(wanted.sha256), "; ".join(wrong)


def data_folders(option: Path | None) -> list[Path]:
    """Return the folders that hold external data: the option's, then those of the environment variable."""
    listed = [Path(part) for part in os.environ.get(DATA_VARIABLE, "").split(os.pathsep) if part]
    return [option, *listed] if option else listed


def fetch_external(wanted: External, objects: Objects) -> Path | bytes:
    """Download an external file, check its hash and keep it.

    Raises:
        StoreError: no network, an error of the server, another content than expected, or no place to keep it.
    """
    import http.client  # only this command needs the network; the import takes longer than all the rest
    import urllib.request

    if not wanted.url.startswith(("https://", "http://")):
        raise StoreError(f"{wanted.url}: only http and https addresses can be fetched")
    try:
        request = urllib.request.Request(wanted.url, headers={"User-Agent": "judge-harness"})  # noqa: S310 - checked above
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310 - checked above
            data = answer.read(_LARGEST + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:  # URLError is an OSError
        why = str(error) or type(error).__name__
        raise StoreError(
            f"{wanted.url}: {why}; download it by hand and name its folder with --data or {DATA_VARIABLE}"
        ) from error
    if len(data) > _LARGEST:
        raise StoreError(f"{wanted.url}: more than 1 GiB")
    found = digest_of(data)
    if found != wanted.sha256:
        raise StoreError(f"{wanted.url}: the content has the sha256 {found}, expected {wanted.sha256}; it is not kept")
    return objects.add(data)[1]
