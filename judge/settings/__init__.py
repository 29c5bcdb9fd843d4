"""Settings: the values that a user sets once, in two TOML files and in environment variables.

    config.toml     the user's, in $XDG_CONFIG_HOME/judge or ~/.config/judge
    judge.toml      the project's: beside problems/, or else the nearest one in or above a folder of files

Each of these wins over the ones before it: the default, the user's file, the project's file, the chosen profile in the
user's file, the same profile in the project's file, an environment variable. The commands let their options win over
all of these.

A project's file may come from a stranger. So it cannot name other files: templates and credentials are settings of the
user's file only.

    load    where the files are; all settings that apply
    values  a value with its origin; which values there are
    files   the keys, and which values each may have; reading a file, with located errors
"""
