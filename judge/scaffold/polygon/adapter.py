"""@NAME@ speaks the protocol of ICPC. Here it is called as Polygon calls @ROLES@ of testlib.

Its exit status 42 becomes 0, 43 becomes @REJECTED@, and any other 3, as a failure of this program.
"""

import os
import sys
import tempfile
import traceback

SOURCE = @SOURCE@

folder = ""
if "@ROLE@" != "validator":
    folder = os.path.join(tempfile.mkdtemp(), "")
    output = sys.argv[2]
    sys.argv[1:] = [sys.argv[1], sys.argv[3], folder]
    if "@ROLE@" == "checker":
        os.dup2(os.open(output, os.O_RDONLY), 0)
sys.argv += [@ARGS@]
status = 0
try:
    exec(compile(SOURCE, "@NAME@", "exec"), {"__name__": "__main__"})
except SystemExit as error:
    status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    if isinstance(error.code, str):
        print(error.code, file=sys.stderr)
except BaseException:
    status = 1
    traceback.print_exc()
if os.path.exists(folder + "judgemessage.txt"):
    print(open(folder + "judgemessage.txt").read(), file=sys.stderr)
try:
    sys.stdout.flush()
finally:
    os._exit({42: 0, 43: @REJECTED@}.get(status, 3))
