"""DOMjudge's REST API, version 4, which follows the Contest API of the ICPC's CCS.

https://ccs-specs.icpc.io/ and the page `/api/doc` of any installation.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.online.submit.credentials import permission_warnings, read_netrc
from judge.online.submit.http import Site, one_line
from judge.online.submit.values import Progress, SourceFile

LANGUAGES = {"python3": ("python3", "python", "py3", "py"), "c": ("c",), "cpp": ("cpp", "c++", "cc"), "java": ("java",)}

_ID = re.compile(r"[A-Za-z0-9_.-]{1,100}")  # the specification's syntax of an id
_NAME_KEYS = ("id", "label", "shortname", "short_name", "name")

Entry = Mapping[str, object]


class DomJudge:
    """A submission of a team at a DOMjudge site.

    Args:
        url: of the web interface, such as `https://judge.example/domjudge`.
        netrc: the file with the user name and the password, which go with every request.
        timeout, allow_http: see `Site`.

    Attributes:
        problem, contest, language: DOMjudge's ids, after `prepare`.

    Raises:
        UsageError: the URL is invalid; or the file cannot be read, is invalid, or has no login for this site.
    """

    judge = "DOMjudge"

    def __init__(self, url: str, netrc: Path, *, timeout: float, allow_http: bool = False) -> None:
        self._site = Site(url, timeout=timeout, allow_http=allow_http)
        path = re.sub(r"/(?:team|public|jury|api(?:/v4)?)?/?$", "", urlsplit(url).path)
        self.site = f"{self._site.origin}{path}"
        self.submissions_url = f"{self.site}/team"
        self._site.set_basic_auth(*read_netrc(netrc, self._site.host))
        self._site.credentials = netrc
        self.warnings = permission_warnings(netrc)
        self.problem = self.contest = self.language = ""
        self._needs_entry_point = False
        self._judgement_types: dict[str, Entry] = {}

    def prepare(self, source: SourceFile, *, problem: str, contest: str, language: str) -> Sequence[tuple[str, str]]:
        """Find the contest, the problem and the language, "" for the default; return what the user confirms.

        Raises:
            UsageError: one of them does not exist; the message lists those that do.
            SubmitError: there was no valid response.
        """
        found_contest = self._find_contest(contest)
        name, self.contest = _display_name(found_contest), str(found_contest["id"])
        if found_contest.get("allow_submit") is False:
            raise UsageError(f"{self.site}: the contest {name} does not accept submissions now")
        found = _find_entry("problem", problem, self._fetch_list(f"{self._contest_path}/problems"), "--as")
        found_language = self._find_language(self._fetch_list(f"{self._contest_path}/languages"), source, language)
        self._needs_entry_point = found_language.get("entry_point_required") is True
        self.problem, self.language = str(found["id"]), str(found_language["id"])
        label = " ".join(str(found[key]) for key in ("label", "name") if found.get(key)) or self.problem
        return [("contest", name), ("problem", one_line(label)), ("language", _display_name(found_language))]

    def submit(self, source: SourceFile) -> str:
        """Submit; return the id of the submission.

        Raises:
            SubmitError: it failed; the error says whether the submission may have arrived.
        """
        fields = [("problem", self.problem), ("language", self.language)]
        fields += [("entry_point", source.entry_point or source.name)] if self._needs_entry_point else []
        file = ("code[]", source.name, source.data)
        url = f"{self.site}/api/v4/{self._contest_path}/submissions"
        response = self._site.post(url, fields, action="submit", file=file, is_submission=True)
        value = response.json()
        submission_id = str(value.get("id", "")) if isinstance(value, dict) else ""
        if not _ID.fullmatch(submission_id):
            expected = "JSON with the submission's `id`"
            raise self._site.unexpected_response(response, expected=expected, is_submission=True)
        return submission_id

    def page(self, number: str) -> str:
        """Return the address of the page that shows a submission."""
        return f"{self.site}/team/submission/{number}"

    @property
    def _contest_path(self) -> str:
        return f"contests/{quote(self.contest, safe='', errors='replace')}"

    def fetch_progress(self, number: str) -> Progress:
        """Ask for the state of a submission; a team sees a judgement when it is final.

        Raises:
            SubmitError: there was no valid response.
        """
        path = f"{self._contest_path}/judgements?submission_id={quote(number, safe='')}"
        judgements = [each for each in self._fetch_list(path) if each.get("valid") is not False]
        verdict = judgements[-1].get("judgement_type_id") if judgements else None
        if not isinstance(verdict, str):
            return Progress(text="Judging" if judgements else "Waiting")
        if not self._judgement_types:
            types = self._fetch_list(f"{self._contest_path}/judgement-types")
            self._judgement_types = {str(each["id"]): each for each in types}
        known = self._judgement_types.get(verdict, {})
        time = judgements[-1].get("max_run_time")
        return Progress(
            text=self._site.sanitize(f"{verdict} ({known.get('name', 'unknown judgement type')})"),
            is_final=True,
            is_accepted=known.get("solved") is True,
            # a day is a mistake of the server
            cpu=Seconds(float(time)) if isinstance(time, int | float) and 0 <= time < 24 * 60 * 60 else None,
        )

    def _find_contest(self, name: str) -> Entry:
        contests = self._fetch_list("contests")
        if name:
            return _find_entry("contest", name, contests, "--contest")
        if not contests:
            login = self._site.credentials
            raise UsageError(f"{self.site}: no contest is running, or none that the login in {login} sees")
        if len(contests) > 1:
            raise UsageError(f"{self.site} has {len(contests)} contests; choose one with --contest: {_list(contests)}")
        return contests[0]

    def _find_language(self, languages: Sequence[Entry], source: SourceFile, name: str) -> Entry:
        if name:
            return _find_entry("language", name, languages, "--language")
        suffix = source.name.rpartition(".")[2].lower()
        for candidate in (*LANGUAGES.get(source.language, ()), suffix):
            for each in languages:
                extensions = each.get("extensions")
                if candidate == str(each["id"]).lower() or (isinstance(extensions, list) and candidate in extensions):
                    return each
        raise UsageError(f"{self.site} has no language for `.{suffix}`; choose one with --language: {_list(languages)}")

    def _fetch_list(self, path: str) -> list[Entry]:
        action = f"list {path.partition('?')[0].rpartition('/')[2]}"
        response = self._site.get(f"{self.site}/api/v4/{path}", action=action)
        value = response.json()
        if not isinstance(value, list) or not all(isinstance(each, dict) and "id" in each for each in value):
            raise self._site.unexpected_response(response, expected="a JSON list of objects with an `id`")
        return value


def _find_entry(kind: str, name: str, entries: Sequence[Entry], option: str) -> Entry:
    """Return the only entry with this id, else with this label, else with this name; case does not matter."""
    for key in _NAME_KEYS:
        found = [each for each in entries if str(each.get(key, "")).lower() == name.lower()]
        if len(found) == 1:
            return found[0]
    raise UsageError(f"unknown {kind} {name}; choose one with {option}: {_list(entries) or '(the judge lists none)'}")


def _list(entries: Sequence[Entry]) -> str:
    return ", ".join(one_line(str(each.get("label") or each.get("shortname") or each["id"])) for each in entries[:20])


def _display_name(entry: Entry) -> str:
    return one_line(str(entry.get("shortname") or entry.get("name") or entry["id"]))
