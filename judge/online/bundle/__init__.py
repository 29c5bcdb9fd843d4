"""One file of a solution and the user's own modules that it imports.

Theory: each module's text becomes the body of a function, indented, with a `global` line for the names that it binds.
Run with the module's own dictionary as its globals, such a function does to the module just what the file did. A small
loader at the top of the bundle hands these functions to Python's own import system, so that every `import` statement
stays as it was written and means what it meant: aliases, packages, relative and circular imports, imports inside
functions, state that modules share.

    module      what it does
    modules     which files an entry imports, and which modules they are
    edits       changes of a text at places of its tree
    body        one module's text as a function
    prelude     the loader's text
    assemble    all of it in one file
"""
