"""Packages of Polygon (polygon.codeforces.com): problem.xml and the files that it names. Nothing is written.

    load           a package to a `Problem`: start here
    document       problem.xml to elements with their lines; hostile documents are refused
    files          the folder of a package, and the paths in problem.xml
    programs       the checker, the interactor and the tests of the checker
    resources      the files that programs and submissions are compiled with
    test_data      the tests: files, or commands of generators
    scores         points and groups to test groups
    solutions      solutions with their tags and languages
    package_files  what is not judged: validators of inputs, and their tests

The format has no specification. The sources are packages that Polygon made, testlib.h, and what other readers of
packages agree on.
"""
