"""The workspace: a repository of problems (or a bare folder), what is selected in it, and sessions that judge it.

Every use case starts here: the commands, `judge watch`, the pytest plugin and the public Python API. Nothing in this
package knows a command line, prints, or ends the process.
"""
