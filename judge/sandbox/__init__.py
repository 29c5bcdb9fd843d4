"""The sandbox: the only place that starts programs which are not trusted.

`judge.sandbox.box.Box` is the whole interface: one box runs one program at a time, and many boxes run side by side. A
box answers with facts (`RunResult`) and never with an opinion. This module imports nothing: the zygote, which loads it
too, has to stay small.
"""
