"""Files on disk to `Problem` and `Case` values. No other package knows the layout of the files.

    native          this project's own layout: problems/, testcases/, solutions/
    folder          one folder of inputs with their answers beside them: x.in, x.ans or x.out

The native layout:

    file_format     what problem.yaml and testcases/*.yaml may contain, described once
    schema          the JSON Schemas in judge/schemas, derived from it
    problem_file    problem.yaml to values, with the limits and checkers that cases inherit
    case_file       testcases/*.yaml to cases
    added_cases     inputs that a search has found, as cases of such a file
    generators      the functions of generator files, read without importing them
    paths           which entries of a folder count, and what is a package
    assets          files that a YAML file names
    yaml            strict YAML with positions
"""
