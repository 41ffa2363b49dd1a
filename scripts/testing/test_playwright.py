"""The reader of Playwright's report is itself tested, with reports as version 1.65 writes them."""

from __future__ import annotations

import json
import re
import unittest
from typing import Any

from testing.playwright import pattern, read


def report(*tests: dict[str, Any], errors: tuple[str, ...] = ()) -> str:
    """A report of a file `list.spec.ts` whose tests stand in a group `search`."""
    specs = [{"title": f"rule {number}", "ok": True, "tests": [test]} for number, test in enumerate(tests, 1)]
    group = {"title": "search", "file": "list.spec.ts", "specs": specs}
    suite = {"title": "list.spec.ts", "file": "list.spec.ts", "specs": [], "suites": [group]}
    return json.dumps({"config": {}, "suites": [suite], "errors": [{"message": error} for error in errors], "stats": {}})


def ended(status: str, *annotations: tuple[str, str], error: str | None = None) -> dict[str, Any]:
    errors = [{"message": f"\x1b[31m{error}\x1b[39m", "location": {"file": "/t/list.spec.ts", "line": 7, "column": 1}}]
    notes = [{"type": kind, "description": words} for kind, words in annotations]
    return {"status": status, "annotations": notes, "results": [{"duration": 1500, "errors": errors if error else []}]}


class ReadingAReport(unittest.TestCase):
    def test_a_passed_test_keeps_its_place_and_time(self) -> None:
        results = read(report(ended("expected")), None, "")
        kept = [(result.name, result.passed, result.seconds) for result in results]
        self.assertEqual(kept, [("browser::list.spec.ts › search › rule 1", True, 1.5)])

    def test_a_failed_test_says_what_and_where(self) -> None:
        (result,) = read(report(ended("unexpected", error="boom")), "ended with status 1", "")
        self.assertFalse(result.passed)
        self.assertEqual(result.output, "boom\n    at /t/list.spec.ts:7")

    def test_a_skipped_test_gives_its_reason_and_a_part_left_out_is_named(self) -> None:
        tests = ended("skipped", ("skip", "no schemas here")), ended("expected", ("skipped 1 of 3", "too old"))
        whole, part = read(report(*tests), None, "")
        self.assertEqual((whole.skipped_whole, whole.skipped), (True, ("skipped: no schemas here",)))
        self.assertEqual((part.skipped_whole, part.skipped), (False, ("skipped 1 of 3: too old",)))

    def test_a_test_that_never_ran_has_failed(self) -> None:
        results = read(report(ended("expected"), ended("skipped")), "was stopped after 8 minutes", "")
        self.assertEqual([result.passed for result in results], [True, False])

    def test_a_run_that_breaks_off_outside_its_tests_has_failed(self) -> None:
        for text, ending in (
            (report(ended("expected"), errors=("no such file",)), None),
            (report(ended("expected")), "was killed by SIGKILL"),
            ("", "ended with status 1"),
            ("", None),
        ):
            results = read(text, ending, "last words")
            self.assertEqual((results[-1].name, results[-1].passed), ("browser", False), text)
            self.assertIn("last words", results[-1].output)

    def test_no_test_at_all_is_no_failure(self) -> None:
        self.assertEqual(read(json.dumps({"suites": [], "errors": []}), None, ""), [])


class ChoosingTests(unittest.TestCase):
    def test_names_are_taken_as_they_are(self) -> None:
        chosen = re.compile(pattern(["a (b)", "rolls_back"]))
        self.assertTrue(chosen.search("says a (b) c"))
        self.assertTrue(chosen.search("what rolls back"))
        self.assertFalse(chosen.search("a b"))
