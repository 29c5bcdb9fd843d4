"""Layouts: files on disk to `Problem` and `Case` values. Nothing after this floor knows which layout was read.

    native      this project's own: problems/, testcases/, solutions/
    folder      one folder of inputs with their answers beside them: x.in, x.ans or x.out

The native layout's rooms:

    fileformat  what problem.yaml and testcases/*.yaml may say, described once
    fieldtypes  the texts it is made of: quantities, names, paths, hashes
    schema      the JSON Schemas in judge/schemas, derived from it
    seeds       `1-8`
    paths       files that a YAML file names, and what is not looked at
    generators  the functions of generator files, read without importing them
    settings    limits and checkers, inherited from problem to file to case
    problemfile problem.yaml to values
    casefile    testcases/*.yaml to cases
    solutions   solutions/<id>/ to solutions
"""
