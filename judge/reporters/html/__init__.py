"""Reports as pages: one file each, without scripts that it needs and without requests; templates are beside the code.

Texts come from untrusted programs. Jinja escapes every value, after `shown_text` made invisible characters visible.
"""
