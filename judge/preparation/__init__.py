"""Test data: makes inputs and answers, validates and confirms them; never judges a submission.

cases       what a case becomes, and where test data is kept
store       what earlier runs made and found out: files by hash, facts, and cases.lock
generate    runs generators of our format, with `driver` inside the sandbox
produce     runs generators that are programs: of packages, and of a repository
inputs      the input of each case: from the case file, a file, a generator or outside
validators  runs one validator on one file, and concludes what it says
confirm     the validator and the problem's own solutions on a case: is the input valid, and what is the answer
prepare     all steps for the cases of a problem
"""
