"""Checktestdata (https://github.com/DOMjudge/checktestdata) as a grammar of the input.

reader              the language: commands and expressions with their places
words               regular expressions as patterns
parts               fields, loops and totals under construction
state               names, variables and notes; expressions
lines, rules        commands that read; commands that compute and assert
convert             all of it, with loops and conditions
"""
