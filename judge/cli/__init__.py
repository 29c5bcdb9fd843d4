"""The command line: from arguments to one command, and from its outcome to an exit status."""
