"""ICPC problem packages, all versions of the format, as Kattis, DOMjudge and BAPCtools write them. Nothing is written.

    load              a package to a `Problem`: start here; the flags of the default output validator
    files             the folder of a package: names that count, links that lead out, programs; versions of the format
    sections          mappings of YAML files, read leniently: what is unusual is a warning with its position
    problem_yaml      problem.yaml, .timelimit and domjudge-problem.ini
    test_data         data/sample and data/secret to cases
    generators_yaml   generators/generators.yaml of BAPCtools: a plan of cases and how they are made
    data_settings     testdata.yaml, test_group.yaml and the file of a case: what they set and inherit
    grading           the trees of test groups
    package_files     what is not judged: input validators, cases that test validators, statements
    package_rules     rules about the files of a package that nothing needs to run for
    submissions       submissions/ to solutions
    expectations      folders, submissions.yaml and annotations to expected verdicts

Sources: https://www.kattis.com/problem-package-format/, versions legacy, legacy-icpc and 2025-09; the drafts of
2023-07; and what problemtools, DOMjudge and BAPCtools do where the format is silent.
"""
