"""Import problems with their samples from a browser or another tool.

    readers     Competitive Companion's JSON, and folders of other tools, to drafts
    package     an ICPC package to a draft, with what of it is not imported
    layouts     the files of a draft, and where they belong: in a repository, or in plain folders
    starter     the file in which a new solution begins
    writer      a draft to files, where the problem is already; nothing is overwritten without `force`
    server      the HTTP server that Competitive Companion posts to

Input is validated before anything is written. Nothing here prints.
"""

DEFAULT_PORT = 10043  # for `judge listen`: the one of Competitive Companion's that no editor's extension uses
