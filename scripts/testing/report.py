"""What a run came to: results of tests and checks, what was skipped and why, where the time went. Prints; runs nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SLOWEST = 20


@dataclass(frozen=True)
class Result:
    """How one test or check ended. `skipped` holds reasons, `output` what to show when it failed."""

    name: str
    passed: bool
    seconds: float = 0.0
    output: str = ""
    skipped: tuple[str, ...] = ()

    @property
    def skipped_whole(self) -> bool:
        """Whether the test did nothing: it said `skipped: reason`. `skipped 3 of 40: reason` leaves it a test that passed."""
        return self.passed and any(line.startswith("skipped:") for line in self.skipped)


@dataclass
class Report:
    """Collects results while a run goes on, shows failures at once and everything else at the end."""

    results: list[Result] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    phases: list[tuple[str, float]] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time a part of the run."""
        say(f"\n== {name}")
        start = time.monotonic()
        try:
            yield
        finally:
            self.phases.append((name, time.monotonic() - start))

    def add(self, result: Result) -> None:
        self.results.append(result)
        self.skipped += [f"{result.name}: {line}" for line in result.skipped]
        if not result.passed:
            say(f"\n---- FAILED: {result.name}\n{result.output.rstrip()}\n----\n")

    def skip(self, name: str, reason: str) -> None:
        """Something as a whole was not run."""
        self.skipped.append(f"{name}: skipped: {reason}")
        say(f"skipped: {name}: {reason}")

    @property
    def failed(self) -> list[Result]:
        return [result for result in self.results if not result.passed]

    @property
    def passed(self) -> list[Result]:
        return [result for result in self.results if result.passed and not result.skipped_whole]

    def print_summary(self) -> None:
        """Everything at the end of a run; the last line is the count."""
        self._section("Ran", self.ran)
        self._section("Time per phase", [f"{seconds:8.1f} s  {name}" for name, seconds in self.phases])
        self._section(f"Slowest {SLOWEST} tests", self._slowest())
        self._section("Skipped", self.skipped)
        self._section("Failed", [result.name for result in self.failed])
        say(f"\n{len(self.passed)} passed, {len(self.failed)} failed, {len(self.skipped)} skipped")

    def _slowest(self) -> list[str]:
        timed = sorted((result for result in self.results if result.seconds), key=lambda result: -result.seconds)
        return [f"{result.seconds:8.2f} s  {result.name}" for result in timed[:SLOWEST]]

    @staticmethod
    def _section(title: str, lines: list[str]) -> None:
        if lines:
            say(f"\n{title}:")
            say("\n".join(f"  {line}" for line in lines))


def say(text: str) -> None:
    """Print at once: what commands print themselves must come after it."""
    print(text, flush=True)
