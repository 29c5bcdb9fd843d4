"""@NAME@ speaks the protocol of testlib. Here it is called as contest systems call @ROLES@ of ICPC.

Its exit status 0 becomes 42, 1, 2, 4 and 8 become 43, 3 becomes @FAILED@, and points go to score.txt.
"""

import os
import re
import sys
import traceback

SOURCE = @SOURCE@

folder = output = ""
if "@ROLE@" != "validator":
    folder = os.path.join(sys.argv[3], "")
    output = folder + "output"
    if "@ROLE@" == "checker":
        with open(output, "wb") as file:
            file.write(sys.stdin.buffer.read())
    sys.argv[2:4] = [output, sys.argv[2]]
    os.dup2(os.open(folder + "judgemessage.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 2)
status = 0
try:
    exec(compile(SOURCE, "@NAME@", "exec"), {"__name__": "__main__"})
except SystemExit as error:
    status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    if isinstance(error.code, str):
        print(error.code, file=sys.stderr)
except BaseException:
    status = 5
    traceback.print_exc()
sys.stderr.flush()
if os.path.exists(output):
    os.remove(output)
if folder:
    message = open(folder + "judgemessage.txt", errors="replace").read()
    points = re.match(r"partially correct \((\d+)\)", message) or (status == 7 and re.match(r"points\s+(\S+)", message))
    if points:
        with open(folder + "score.txt", "w") as file:
            file.write(points[1])
        status = 0
try:
    sys.stdout.flush()
finally:
    os._exit({0: 42, 1: 43, 2: 43, 4: 43, 8: 43, 3: @FAILED@}.get(status, 1))
