"""Which way of noticing serves some places on this machine."""

from pathlib import Path

from judge.errors import JudgeError, told
from judge.watch.bykernel import ByKernel
from judge.watch.bylooking import ByLooking
from judge.watch.places import Places

Noticing = ByKernel | ByLooking

# Other machines change files there; inotify tells what this one does: inotify(7), "Limitations and caveats".
_REMOTE = ("9p", "afs", "ceph", "cifs", "davfs", "lustre", "nfs", "nfs4", "smb3", "smbfs", "vboxsf", "virtiofs")


def noticing(places: Places, *, only_looking: bool = False) -> tuple[Noticing, str]:
    """Return what notices changes of some places, and why it is not inotify, or ""."""
    if only_looking:
        return ByLooking(places), ""
    if remote := _remote_disk(places.root):
        return ByLooking(places), f"{places.root} is on a disk of type {remote}, where inotify does not see all changes"
    try:
        return ByKernel(places), ""
    except OSError as error:
        return ByLooking(places), why_no_inotify(error)


def why_no_inotify(error: OSError) -> str:
    """Say why inotify does not serve, and what could be done."""
    return (
        f"no inotify: {told(_nameless(error))}; changes are noticed by looking, a little later "
        "(the limits are fs.inotify.max_user_watches and max_user_instances, see `man 7 inotify`)"
    )


def _nameless(error: OSError) -> OSError | JudgeError:
    return OSError(error.errno, error.strerror) if error.errno else error


def _remote_disk(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the type of the disk that a path is on if other machines may write to it, else ""; proc(5), mountinfo."""
    try:
        lines = mounts.read_text(errors="surrogateescape").splitlines()
        real = path.resolve()
    except OSError:
        return ""
    best, kind = Path("/"), ""
    for line in lines:
        fields, _, rest = line.partition(" - ")
        where = Path(fields.split()[4].replace("\\040", " "))
        if real.is_relative_to(where) and where.is_relative_to(best):
            best, kind = where, rest.split()[0]
    return kind if kind in _REMOTE or kind.startswith("fuse.") else ""
