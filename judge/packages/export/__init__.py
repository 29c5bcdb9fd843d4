"""Problems as packages of other formats: the files of a package, and what its format cannot express.

Nothing here runs a program or changes a problem: the data of the cases comes from `judge.preparation`.
"""
