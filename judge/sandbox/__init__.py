"""The sandbox: the only package that starts untrusted programs.

`judge.sandbox.box.Box` is the whole interface: one box runs one program at a time, and several boxes run side by side.
A box returns facts (`RunResult`), never a judgement.

`zygote` and everything that it imports loads only built-in modules and ctypes, so that the process that starts the runs
stays small. This module imports nothing, for the same reason.
"""
