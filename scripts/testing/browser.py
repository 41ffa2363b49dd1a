"""Runs the browser tests: the pages of the real binary, in a real Chromium."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from nodejs import browser, npm

from . import playwright
from .execute import execute
from .report import Report, Result, say

MINUTES = 8


def test(report: Report, target: Path, environment: dict[str, str], names: list[str]) -> None:
    """All of them, or those with one of `names` in their titles. Without Node.js or a browser they are skipped, in words."""
    try:
        npm.install(browser.TESTS)
        npm.run(browser.TESTS, "check")
        chromium = browser.installed(target)
    except npm.Unavailable as problem:
        report.skip("browser tests", str(problem))
        return
    except npm.Failed as problem:
        report.add(Result("browser", False, output=str(problem)))
        return
    with tempfile.TemporaryDirectory(prefix="wm-browser-", ignore_cleanup_errors=True) as scratch:
        written = Path(scratch) / "report.json"
        command = ["node", "node_modules/@playwright/test/cli.js", "test", "--pass-with-no-tests"]
        if names:
            command += ["--grep", playwright.pattern(names)]
        environment = {
            **environment,
            browser.OVERRIDE: str(chromium),
            "CARGO_TARGET_DIR": str(target),
            "PLAYWRIGHT_JSON_OUTPUT_FILE": str(written),
            # Profiles and downloads go where they are removed with the run, whatever stops it.
            "TMPDIR": scratch,
        }
        ending = execute(command, browser.TESTS, environment, MINUTES * 60)
        text = written.read_text() if written.exists() else ""
    results = playwright.read(text, ending.problem, ending.stdout + ending.stderr)
    for result in results:
        report.add(result)
    if results:
        report.ran.append(f"{len(results)} browser tests, in {os.path.basename(chromium)}; screenshots in {target / 'screenshots'}")
    say(f"{len(results)} tests, {sum(not result.passed for result in results)} failed")
