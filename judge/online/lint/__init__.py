"""Is a file ready to be submitted? What an online judge would reject, found before it is asked.

Most checks are pure: from a source's text and a row of the table of judges to obstacles, each with its line, a reason
and a fix. `trial` alone runs the solution, on the problem's own cases.
"""
