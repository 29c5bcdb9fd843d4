"""Test data: makes inputs and answers, validates and confirms them; never judges a submission.

cases       what a case becomes, and where test data is kept
store       files by their hash, and what earlier runs found out
lock        cases.lock: the hashes of all inputs and answers
generate    runs generators, with `driver` inside the sandbox
inputs      the input of each case: from the case file, a file, a generator or outside
programs    the validator and the problem's own solutions, built when they are needed
confirm     runs them on a case
answers     the answer of a case: given, computed or locked, and whether it can be right
prepare     all steps for the cases of a problem
"""
