"""Handing a solution over to an online judge.

    outgoing     the values: what is sent, what came of it, what the judge says
    secret       a password or token that no message can show
    web          one site over HTTP: time-outs on everything, no secret to another host
    wire         one HTTP exchange, its connection and its deadline
    faults       an answer that is none, in words: what to do, and whether the submission went in
    credentials  reading the files of credentials
    kattisrc     ~/.kattisrc
    netrcfile    ~/.netrc
    kattis       Kattis's protocol
    domjudge     DOMjudge's REST API, version 4
    waiting      asking for the verdict until it is final
    paste        judges without an API: what a person pastes, and where

Nothing here prints or asks; the command does.
"""
