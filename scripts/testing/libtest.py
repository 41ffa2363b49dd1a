"""Reads what a Rust test executable prints with `--format json`. Pure: text in, results out.

Lines that are no test events (a started server that writes to our stdout) are kept apart, also when one of them is glued
to the front of an event. A test that started and never ended, and an executable that failed without a failed test, are failures.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .report import Result

EVENT_START = '{ "type": "'


@dataclass
class Output:
    """What one executable said."""

    results: list[Result] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    unfinished: dict[str, None] = field(default_factory=dict)
    complete: bool = False


def read(prefix: str, text: str, stderr: str, ending: str | None) -> list[Result]:
    """All results of an executable whose tests are called `prefix::name`. `ending` says how it failed, None if it did not."""
    output = Output()
    for line in text.splitlines():
        before, event = _event(line)
        if before:
            output.other.append(before)
        if event:
            _take(output, prefix, event)
    problem = ending or (None if output.complete else "printed no result: is this a test executable of Rust's own harness?")
    said = "\n".join([*output.other, stderr])
    for name in output.unfinished:
        output.results.append(Result(f"{prefix}::{name}", False, output=f"did not finish: {problem}\n{said}"))
    if problem and all(result.passed for result in output.results):
        output.results.append(Result(prefix, False, output=f"{problem}\n{said}"))
    return output.results


def _event(line: str) -> tuple[str, dict[str, Any] | None]:
    at = line.find(EVENT_START)
    if at < 0:
        return line, None
    try:
        event = json.loads(line[at:])
    except ValueError:
        return line, None
    if event.get("type") not in ("suite", "test") or "event" not in event:
        return line, None
    return line[:at], event


def _take(output: Output, prefix: str, event: dict[str, Any]) -> None:
    kind, name = event["event"], event.get("name", "")
    if event["type"] == "suite":
        output.complete = output.complete or kind in ("ok", "failed")
        return
    if kind == "started":
        output.unfinished[name] = None
        return
    if kind == "timeout":  # libtest's notice that a test takes long; its result still comes
        return
    output.unfinished.pop(name, None)
    output.results.append(_result(f"{prefix}::{name}", kind, event))


def _result(name: str, kind: str, event: dict[str, Any]) -> Result:
    seconds = float(event.get("exec_time", 0.0))
    message, said = event.get("message", ""), event.get("stdout", "")
    if kind == "ignored":
        return Result(name, True, skipped=(f"skipped: {message or 'marked #[ignore]'}",))
    if kind == "ok":
        return Result(name, True, seconds, skipped=tuple(line for line in said.splitlines() if line.startswith("skipped")))
    return Result(name, False, seconds, output=f"{said}\n{message}".strip() or kind)
