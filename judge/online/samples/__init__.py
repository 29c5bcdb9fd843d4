"""Samples in: what a browser or another tool has of a problem becomes a problem of this project, ready to run.

    draft       a problem to be: its names, limits and samples
    companion   Competitive Companion's JSON to a draft, cph's `.prob` files too
    folders     a folder of another tool to drafts
    yamltext    bytes as YAML that reads back as the same bytes
    files       a draft to the files of a problem
    placing     those files into a repository, where nothing is overwritten unasked
    inbox       the server that Competitive Companion posts to

What comes from outside is checked before anything is written; nothing here prints.
"""
