"""A test executable ends, or is ended, with everything it started."""

from __future__ import annotations

import os
import time
import unittest
from pathlib import Path

from testing.execute import Ending, execute


def shell(script: str, seconds: float = 30) -> Ending:
    return execute(["sh", "-c", script], Path("/"), dict(os.environ), seconds)


class Executing(unittest.TestCase):
    def test_success_has_no_problem(self) -> None:
        self.assertEqual(shell("echo out; echo err >&2"), Ending("out\n", "err\n", None))

    def test_a_status_and_a_signal_are_told(self) -> None:
        self.assertEqual(shell("exit 3").problem, "ended with status 3")
        self.assertEqual(shell("kill -SEGV $$").problem, "was killed by SIGSEGV")

    def test_what_hangs_is_stopped(self) -> None:
        ending = shell("echo begun; sleep 60", seconds=0.3)
        self.assertEqual((ending.stdout, ending.problem), ("begun\n", "was stopped after 0 minutes"))

    def test_processes_left_behind_are_stopped_and_not_waited_for(self) -> None:
        start = time.monotonic()
        left = int(shell("sleep 60 & echo $!").stdout)
        self.assertLess(time.monotonic() - start, 30)
        self.assertFalse(runs(left), "the process is still there")


def runs(process: int) -> bool:
    """Whether a process is alive a moment later: a killed one is a zombie, or gone."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True
