"""Names that editors and tools leave beside the files that people write; a change of them means nothing."""

import re

# Hidden files cover vim's .x.swp, Emacs's .#x, Kate's .x.kate-swp, GNOME's .goutputstream-X, our own .new-X, .git and
# .judge. vim writes `4913` (and 5036, ...) to find out whether it may write into a folder; JetBrains its ___jb_ files.
_LEFTOVER = re.compile(r"\..*|.*~|#.*#|4913|5036|.*\.sw[a-p]|.*\.bak|.*\.py[co]|.*___jb_\w+___|__pycache__")


def is_leftover(name: str) -> bool:
    """Return whether a file or folder of this name is nobody's work."""
    return _LEFTOVER.fullmatch(name) is not None or (name.startswith("baseline") and name.endswith(".lock"))
