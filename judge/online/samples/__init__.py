"""Import problems with their samples from a browser or another tool.

    readers  Competitive Companion's JSON, and folders of other tools, to drafts
    writer   a draft to the files of a repository; nothing is overwritten without `force`
    server   the HTTP server that Competitive Companion posts to

Input is validated before anything is written. Nothing here prints.
"""
