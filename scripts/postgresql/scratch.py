"""The servers of one test run: a shared one, and whatever private ones tests start; all gone at the end, whatever happens."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from .programs import OVERRIDE
from .server import Server, ServerError


def target_folder() -> Path:
    """Cargo's target folder."""
    root = Path(__file__).resolve().parents[2]
    return root / os.environ.get("CARGO_TARGET_DIR", "target")


@contextmanager
def scratch_server(durable: bool = False) -> Iterator[dict[str, str]]:
    """Start the shared server; yields the environment in which tests find it and may make servers of their own."""
    runs = target_folder() / "postgres"
    _remove_leftovers(runs)
    run = runs / str(os.getpid())
    try:
        server = Server(run / "shared", durable)
        server.start(target_folder())
        yield {
            "WM_TEST_POSTGRES_URL": server.url,
            "WM_TEST_POSTGRES_DIR": str(run),
            OVERRIDE: str(server.programs),
        }
    finally:
        _remove_run(run)


def end_cleanly_on_signals() -> None:
    """Turn the signals that ask a process to end into an exception, so that `finally` blocks run."""

    def leave(number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


def _remove_leftovers(runs: Path) -> None:
    """Remove what runs left behind that were killed before they could tidy up."""
    for run in runs.glob("[0-9]*"):
        try:
            os.kill(int(run.name), 0)
        except ProcessLookupError:
            _remove_run(run)
        except PermissionError:
            continue


def _remove_run(run: Path) -> None:
    # Private servers first: the shared one may hold the programs that stop them.
    for state in sorted(run.glob("*/server.json"), key=lambda state: state.parent.name == "shared"):
        try:
            Server(state.parent).remove()
        except (ServerError, OSError) as problem:
            print(f"could not remove the PostgreSQL server of {state.parent}: {problem}", file=sys.stderr)
    shutil.rmtree(run, ignore_errors=True)
