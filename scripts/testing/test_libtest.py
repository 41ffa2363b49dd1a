"""The reader of test output is itself tested: with output that a real executable printed, and with forged ones."""

from __future__ import annotations

import unittest

from testing.libtest import read
from testing.report import Report, Result

STARTED = '{ "type": "suite", "event": "started", "test_count": 1 }\n'
PASSED = '{ "type": "suite", "event": "ok", "passed": 1, "failed": 0, "ignored": 0, "exec_time": 0.1 }\n'
FAILED = '{ "type": "suite", "event": "failed", "passed": 0, "failed": 1, "ignored": 0, "exec_time": 0.1 }\n'


def event(kind: str, name: str = "rule", **more: object) -> str:
    extra = "".join(f', "{key}": {value}' for key, value in more.items())
    return f'{{ "type": "test", "name": "{name}", "event": "{kind}"{extra} }}\n'


class ReadingATestExecutable(unittest.TestCase):
    def test_a_passed_test_keeps_its_time(self) -> None:
        results = read("store", STARTED + event("started") + event("ok", exec_time=0.25) + PASSED, "", None)
        self.assertEqual(results, [Result("store::rule", True, 0.25)])

    def test_a_failed_test_keeps_what_it_printed(self) -> None:
        text = STARTED + event("started") + event("failed", exec_time=0.1, stdout='"thread panicked\\nboom"') + FAILED
        (result,) = read("store", text, "", "ended with status 101")
        self.assertFalse(result.passed)
        self.assertIn("boom", result.output)

    def test_an_ignored_test_is_skipped_with_its_reason(self) -> None:
        (result,) = read("store", STARTED + event("ignored", message='"takes an hour"') + PASSED, "", None)
        self.assertEqual(result.skipped, ("skipped: takes an hour",))

    def test_a_test_may_say_that_it_did_nothing_or_left_something_out(self) -> None:
        text = (
            STARTED
            + event("ok", "one", stdout='"skipped: no PostgreSQL\\n"')
            + event("ok", "two", stdout='"skipped 3 of 9: why\\nfine\\n"')
        )
        one, two = read("store", text + PASSED, "", None)
        self.assertTrue(one.skipped_whole)
        self.assertEqual((two.skipped_whole, two.skipped), (False, ("skipped 3 of 9: why",)))

    def test_output_of_other_processes_does_not_hide_an_event(self) -> None:
        noise = '{"level":"INFO","event":"started","type":"log"}\nhalf a line'
        results = read("store", STARTED + noise + event("ok", exec_time=0.1) + PASSED, "", None)
        self.assertEqual([result.name for result in results], ["store::rule"])

    def test_a_test_that_never_ended_has_failed(self) -> None:
        (result,) = read("store", STARTED + event("started"), "last words", "was stopped after 15 minutes")
        self.assertEqual((result.name, result.passed), ("store::rule", False))
        self.assertIn("15 minutes", result.output)
        self.assertIn("last words", result.output)

    def test_an_executable_that_dies_between_tests_has_failed(self) -> None:
        results = read("store", STARTED + event("ok"), "", "was killed by SIGSEGV")
        self.assertEqual([(result.name, result.passed) for result in results], [("store::rule", True), ("store", False)])

    def test_an_executable_that_says_nothing_has_failed(self) -> None:
        (result,) = read("store", "hello\n", "", None)
        self.assertFalse(result.passed)

    def test_no_test_at_all_is_no_failure(self) -> None:
        self.assertEqual(read("store", STARTED + PASSED, "", None), [])


class CountingResults(unittest.TestCase):
    def test_a_test_that_did_nothing_has_not_passed(self) -> None:
        report = Report()
        report.add(Result("a", True))
        report.add(Result("b", True, skipped=("skipped: no PostgreSQL",)))
        report.add(Result("c", True, skipped=("skipped 1 of 2: why",)))
        self.assertEqual([result.name for result in report.passed], ["a", "c"])
        self.assertEqual(report.skipped, ["b: skipped: no PostgreSQL", "c: skipped 1 of 2: why"])
