"""Tests what judges: the checker and the validators of a problem, and the data of a package; never a submission.

program_tests  the tests of a problem's checker, validator and grammar
package_tests  the data of a package, its validators, and their tests
validators     runs of validators, and what earlier ones found out
"""
