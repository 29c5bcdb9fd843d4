"""The commands: one file each, with typed options, its arguments, and what it does.

A command is a module with

- `EPILOG`, the end of its help: details and examples,
- `add_arguments(parser)`,
- `from_args(args)`, which turns the parsed arguments into frozen `Options`,
- `execute(options)`, which returns the exit status.

`judge.cli.table` lists the commands; only the chosen one is imported.
"""
