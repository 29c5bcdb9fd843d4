"""DOMjudge's REST API, version 4, after the Contest API of the ICPC's CCS.

https://ccs-specs.icpc.io/ and the page `/api/doc` of any installation.
"""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlsplit

from judge.errors import UsageError
from judge.online.submit.credentials import Login, exposure
from judge.online.submit.http import Reply, Site, Upload, check, no_sense, one_line
from judge.online.submit.values import Address, PreparedSubmission, Progress, Receipt, SourceFile
from judge.units import Seconds

LANGUAGES = {"python3": ("python3", "python", "py3", "py"), "c": ("c",), "cpp": ("cpp", "c++", "cc"), "java": ("java",)}

_LONGEST_S = 24 * 60 * 60  # of a run that a judge can mean
_NUMBER = re.compile(r"[A-Za-z0-9_.-]{1,100}")  # what the specification allows as an id

Entry = Mapping[str, object]


class DomJudge:
    """A DOMjudge and a team there; see `judge.online.submit.values.Client`."""

    judge = "DOMjudge"

    def __init__(self, url: str, *, timeout: float, allow_http: bool = False) -> None:
        """Take the address of the web interface, such as `https://judge.example/domjudge`.

        Raises:
            UsageError: it is none.
        """
        self._site = Site(url, timeout=timeout, allow_http=allow_http)
        path = re.sub(r"/(?:team|public|jury|api(?:/v4)?)?/?$", "", urlsplit(url).path)
        self._base = f"{self._site.address}{path}"
        self.site = self._base
        self.overview = f"{self._base}/team"
        self.host = self._site.host
        self.warnings: tuple[str, ...] = ()
        self._credentials = ""
        self._types: dict[str, Entry] = {}

    def log_in(self, login: Login, file: str) -> None:
        """Send a name and a password with every request from now on; `file` is where they come from."""
        from pathlib import Path

        self._site.login(login.user, login.password)
        self._credentials = file
        self.warnings = exposure(Path(file))

    def prepare(self, source: SourceFile, address: Address) -> PreparedSubmission:
        """Find the contest, the problem and the language.

        Raises:
            UsageError: one of them is not there; the message says which are.
            SubmitError: no answer, or none that makes sense.
        """
        contest = self._contest(address.contest)
        number = str(contest["id"])
        if contest.get("allow_submit") is False:
            raise UsageError(f"{self.site}: the contest {_name(contest)} takes no submissions (now)")
        problem = _pick("problem", address.problem, self._list(f"{_path(number)}/problems"), "--as")
        language = self._language(self._list(f"{_path(number)}/languages"), source, address.language)
        entry = ""
        if language.get("entry_point_required") is True:
            entry = source.entry or source.name
        shown = (("contest", _name(contest)), ("problem", _label(problem)), ("language", _name(language)))
        return PreparedSubmission(
            site=self.site, problem=str(problem["id"]), contest=number, language=str(language["id"]), entry=entry,
            source=source, shown=shown,
        )  # fmt: skip

    def send(self, outgoing: PreparedSubmission) -> Receipt:
        """Submit.

        Raises:
            SubmitError: it did not work; says whether the submission may be there all the same.
        """
        fields = [("problem", outgoing.problem), ("language", outgoing.language)]
        fields += [("entry_point", outgoing.entry)] if outgoing.entry else []
        file = Upload(field="code[]", name=outgoing.source.name, data=outgoing.source.text)
        reply = self._site.post(self._url(f"{_path(outgoing.contest)}/submissions"), fields, [file], submits=True)
        self._check(reply, "take the submission", sends=True)
        value = _json(reply)
        number = str(value.get("id", "")) if isinstance(value, dict) else ""
        if not _NUMBER.fullmatch(number):
            raise no_sense(self._site, reply, expected="JSON with the submission's `id`", sends=True)
        return self.receipt(number, outgoing.contest)

    def receipt(self, number: str, contest: str) -> Receipt:
        """Return what `send` returned for the submission with this number."""
        return Receipt(id=number, page=f"{self._base}/team/submission/{number}", contest=contest)

    def progress(self, receipt: Receipt) -> Progress:
        """Ask what has become of it; a team sees a judgement when it is final.

        Raises:
            SubmitError: no answer, or none that makes sense.
        """
        where = f"{_path(receipt.contest)}/judgements?submission_id={quote(receipt.id, safe='')}"
        counted = [each for each in self._list(where) if each.get("valid") is not False]
        kind = counted[-1].get("judgement_type_id") if counted else None
        if not isinstance(kind, str):
            return Progress(text="Judging" if counted else "Waiting")
        if not self._types:
            types = self._list(f"{_path(receipt.contest)}/judgement-types")
            self._types = {str(each["id"]): each for each in types}
        known = self._types.get(kind, {})
        time = counted[-1].get("max_run_time")
        return Progress(
            text=self._site.shown(f"{kind} ({known.get('name', 'of no known type')})"),
            is_final=True,
            is_accepted=known.get("solved") is True,
            cpu=Seconds(float(time)) if isinstance(time, int | float) and 0 <= time < _LONGEST_S else None,
        )

    def _contest(self, wanted: str) -> Entry:
        contests = self._list("contests")
        if wanted:
            return _pick("contest", wanted, contests, "--contest")
        if len(contests) == 1:
            return contests[0]
        if not contests:
            raise UsageError(f"{self.site}: no contest is running (or none that {self._credentials} lets you see)")
        raise UsageError(f"{self.site} has {len(contests)} contests; say which: --contest {_names(contests)}")

    def _language(self, languages: Sequence[Entry], source: SourceFile, wanted: str) -> Entry:
        if wanted:
            return _pick("language", wanted, languages, "--language")
        suffix = source.name.rpartition(".")[2].lower()
        for name in (*LANGUAGES.get(source.language, ()), suffix):
            for each in languages:
                extensions = each.get("extensions")
                if name == str(each["id"]).lower() or (isinstance(extensions, list) and name in extensions):
                    return each
        known = _names(languages)
        raise UsageError(f"{self.site} has no language for `.{suffix}`; say which: --language ({known})")

    def _list(self, where: str) -> list[Entry]:
        reply = self._site.get(self._url(where))
        self._check(reply, f"list {where.partition('?')[0].rpartition('/')[2]}")
        value = _json(reply)
        if not isinstance(value, list) or not all(isinstance(each, dict) and "id" in each for each in value):
            raise no_sense(self._site, reply, expected="a JSON list of objects with an `id`")
        return value

    def _url(self, where: str) -> str:
        return f"{self._base}/api/v4/{where}"

    def _check(self, reply: Reply, doing: str, *, sends: bool = False) -> None:
        check(reply, self._site, doing=doing, credentials=self._credentials, sends=sends)


def _path(contest: str) -> str:
    return f"contests/{quote(contest, safe='', errors='replace')}"


def _json(reply: Reply) -> object:
    try:
        return reply.json()
    except ValueError:
        return None


_NAMES = ("id", "label", "shortname", "short_name", "name")


def _pick(kind: str, wanted: str, entries: Sequence[Entry], option: str) -> Entry:
    """Return the entry with this id, label or name, whichever is the first that only one has; cases are one."""
    for key in _NAMES:
        found = [each for each in entries if str(each.get(key, "")).lower() == wanted.lower()]
        if len(found) == 1:
            return found[0]
    raise UsageError(
        f"there is no {kind} {wanted} there; {option} takes one of: {_names(entries) or '(there is none)'}"
    )


def _names(entries: Sequence[Entry]) -> str:
    return ", ".join(one_line(str(each.get("label") or each.get("shortname") or each["id"])) for each in entries[:20])


def _name(entry: Entry) -> str:
    return one_line(str(entry.get("shortname") or entry.get("name") or entry["id"]))


def _label(entry: Entry) -> str:
    return one_line(" ".join(str(entry[key]) for key in ("label", "name") if entry.get(key)) or str(entry["id"]))
