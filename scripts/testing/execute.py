"""Runs one test executable to its end, or stops it, with everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ending:
    """How a process ended. `problem` is None if it ended by itself with status 0."""

    stdout: str
    stderr: str
    problem: str | None


def execute(command: list[str], folder: Path, environment: dict[str, str], seconds: float) -> Ending:
    """Run `command` in a process group of its own, for at most `seconds`.

    Output goes to files, not pipes: a process that a test left behind would keep a pipe open.
    """
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
        )
        try:
            problem = _problem(process.wait(seconds))
        except subprocess.TimeoutExpired:
            problem = f"was stopped after {seconds / 60:.0f} minutes"
        finally:
            _kill_group(process.pid)
            process.wait()
        return Ending(_text(stdout), _text(stderr), problem)


def _problem(status: int) -> str | None:
    if status == 0:
        return None
    return f"ended with status {status}" if status > 0 else f"was killed by {signal.Signals(-status).name}"


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _text(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return file.read().decode(errors="replace")  # type: ignore[attr-defined, no-any-return]
