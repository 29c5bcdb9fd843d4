"""How the cost of a program grows with the size of its input: laws, fits, sizes to try, and plots.

Pure functions of numbers: `judge.scaling.experiment` makes the inputs and the runs.
"""
