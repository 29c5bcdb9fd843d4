"""Combines a solution and the user's own modules that it imports into one file.

A small loader at the top of the bundle has the text of each module, and gives it to Python's import system. So every
`import` statement stays as it is and keeps its meaning: aliases, packages, relative and circular imports, imports
inside functions, state that modules share.

    modules     finds the modules that a file imports
    assemble    puts all into one file
"""
