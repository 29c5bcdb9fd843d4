"""Problem packages of contests: the ICPC format in all its versions, and what DOMjudge, Kattis and BAPCtools add."""
