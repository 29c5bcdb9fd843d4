"""Submit a solution to an online judge.

    values       what is sent, what came back, and the client protocol
    http         HTTP to one site: timeouts, certificates, proxies; secrets never leave the site
    credentials  read `~/.kattisrc` and `~/.netrc`; secrets that no message shows
    kattis       Kattis
    domjudge     DOMjudge (REST API v4)
    manual       judges without an API: what to paste, and where
    poll         wait for the verdict

Nothing here prints or asks for input.
"""
