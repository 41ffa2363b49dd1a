"""Checks that are no tests of ours: format, lints, licences, what the binary links, the scripts' own tests, documentation's examples."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from .cargo import ROOT
from .report import Report, Result

UNWANTED_LIBRARIES = ("libpq", "libssl", "libcrypto")
DOC_RESULT = re.compile(r"^test (?P<name>.+?) \.\.\. (?P<ending>ok|FAILED|ignored)", re.MULTILINE)


def check(report: Report, name: str, command: list[str]) -> None:
    """One check that is a command; it prints for itself."""
    passed = subprocess.run(command, cwd=ROOT).returncode == 0
    report.add(Result(name, passed, output=f"`{' '.join(command)}` failed: see above"))


def format_is_canonical(report: Report) -> None:
    check(report, "format", ["cargo", "fmt", "--check"])


def lints_are_silent(report: Report) -> None:
    check(report, "lints", ["cargo", "clippy", "--workspace", "--all-targets", "--features", "wm/failpoints", "--", "-D", "warnings"])


def scripts_work(report: Report) -> None:
    check(report, "scripts", [sys.executable, "-B", "-m", "unittest", "discover", "-q", "-s", "scripts", "-t", "scripts"])


def dependencies_are_allowed(report: Report) -> None:
    """Licences, bans and sources of deny.toml; advisories need the network, and are not asked for here."""
    if not shutil.which("cargo-deny"):
        report.skip("cargo deny", "cargo-deny is not installed (cargo install cargo-deny)")
        return
    check(report, "cargo deny", ["cargo", "deny", "--offline", "check", "licenses", "bans", "sources"])


def binary_stands_alone(report: Report, binary: Path) -> None:
    """The binary must run on machines without PostgreSQL's client library or OpenSSL."""
    if not shutil.which("ldd"):
        report.skip("linked libraries", "this system has no ldd")
        return
    result = subprocess.run(["ldd", binary], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    unwanted = [line.strip() for line in result.stdout.splitlines() if line.strip().startswith(UNWANTED_LIBRARIES)]
    passed = result.returncode == 0 and not unwanted
    report.add(Result("linked libraries", passed, output="\n".join(unwanted) or result.stdout))


def documentation_examples_run(report: Report) -> None:
    """Tests in Rust documentation, which only cargo can run."""
    command = ["cargo", "test", "--workspace", "--doc", "--no-fail-fast"]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    examples = [(found["name"], found["ending"]) for found in DOC_RESULT.finditer(result.stdout)]
    for name, ending in examples:
        reasons = ("skipped: marked ignore",) if ending == "ignored" else ()
        report.add(Result(f"doc {name}", ending != "FAILED", output=result.stdout, skipped=reasons))
    if result.returncode != 0 and all(ending != "FAILED" for _, ending in examples):
        report.add(Result("documentation examples", False, output=result.stdout))
    report.ran.append(f"{len(examples)} examples in documentation")
