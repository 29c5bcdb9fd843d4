"""Packages of Polygon (polygon.codeforces.com): problem.xml and the files that it names. Nothing is written.

    load           a package to a `Problem`: start here; validators of inputs, and their tests
    files          problem.xml to elements with their lines, and the files that it names; hostile documents are refused
    programs       the checker, the interactor, the solutions, and the files that these are compiled with
    test_data      the tests: files, or commands of generators; their points and groups

The format has no specification. The sources are packages that Polygon made, testlib.h, and what other readers of
packages agree on.
"""
