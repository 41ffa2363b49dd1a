"""Reads what Playwright's JSON reporter writes (https://playwright.dev/docs/test-reporters#json-reporter). Pure: text in, results out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .report import Result

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def read(text: str, ending: str | None, said: str) -> list[Result]:
    """The results of a run; tests are called `browser::FILE › TITLE`. `ending` says how the run failed, None if it did not."""
    try:
        document = json.loads(text)
    except ValueError:
        return [Result("browser", False, output=f"wrote no report: {ending or 'it ended well'}\n{said}")]
    results = [result for suite in document.get("suites", []) for result in _suite(suite, [])]
    problems = [_plain(error.get("message", "")) for error in document.get("errors", [])]
    if problems or (ending and all(result.passed for result in results)):
        results.append(Result("browser", False, output="\n".join([ending or "", *problems, said])))
    return results


def pattern(names: list[str]) -> str:
    """The regular expression for titles that contain one of the names, spelt as a Rust test may be (`rolls_back`)."""
    return "|".join(re.escape(name).replace("_", "[_ ]") for name in names)


def _suite(suite: dict[str, Any], above: list[str]) -> Iterator[Result]:
    titles = [*above, suite["title"]]
    for spec in suite.get("specs", []):
        for test in spec["tests"]:
            yield _result("browser::" + " › ".join([*titles, spec["title"]]), test)
    for inner in suite.get("suites", []):
        yield from _suite(inner, titles)


def _result(name: str, test: dict[str, Any]) -> Result:
    last = (test["results"] or [{}])[-1]
    seconds = last.get("duration", 0) / 1000
    notes = tuple(_note(note) for note in test.get("annotations", []) if note["type"].startswith("skip"))
    if test["status"] == "skipped":
        # Playwright calls skipped also what never came to run, because the run broke off.
        return Result(name, bool(notes), seconds, output="did not run", skipped=notes)
    errors = [_plain(error.get("message", "")) + "\n" + _place(error) for error in last.get("errors", [])]
    passed = test["status"] == "expected"
    return Result(name, passed, seconds, output="\n".join(errors) or test["status"], skipped=notes)


def _note(note: dict[str, Any]) -> str:
    """`skip` left the whole test out; `skipped 3 of 40` is a note that a test makes of a part."""
    reason = note.get("description") or "no reason given"
    return f"skipped: {reason}" if note["type"] == "skip" else f"{note['type']}: {reason}"


def _place(error: dict[str, Any]) -> str:
    place = error.get("location")
    return f"    at {place['file']}:{place['line']}" if place else ""


def _plain(text: str) -> str:
    return COLOURS.sub("", text)
