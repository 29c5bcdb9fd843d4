"""Combines a solution and the user's own modules that it imports into one file.

Each module's text becomes the body of a function, indented, with a `global` statement for the names that it binds.
Called with the module's dictionary as its globals, the function does to the module what the file did. A small loader at
the top of the bundle gives these functions to Python's import system. So every `import` statement stays as it is and
keeps its meaning: aliases, packages, relative and circular imports, imports inside functions, state that modules share.

    modules     finds the modules that a file imports
    assemble    edits the modules' texts and puts all into one file
    verify      runs the original and the bundle on the problem's cases
"""
