"""Submit a solution to an online judge.

    flow         the use case: find the judge, submit, wait for the verdict
    context      one submission: its user interface, one run here, and the guards against mistakes
    values       the judges without an API, options, what is sent, what came back, and the client protocol
    http         HTTP to one site: timeouts, certificates, proxies; secrets never leave the site
    credentials  read `~/.kattisrc` and `~/.netrc`; secrets that no message shows
    kattis       Kattis
    domjudge     DOMjudge (REST API v4)
    browser      browser extensions that submit: what they are offered, and the server that they ask

Nothing here prints or asks: the caller passes a `UserInterface`.
"""
