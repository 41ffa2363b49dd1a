"""npm, if the machine has it: installing what a lock file names, once for each lock file."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

MANIFESTS = ("package.json", "package-lock.json")
OLDEST = 20


class Unavailable(Exception):
    """There is no Node.js here, or npm could not install; the message says why."""


class Failed(Exception):
    """A script of ours failed; what it said stands above."""


def require() -> str:
    """The path of npm."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        raise Unavailable("this machine has no node and npm")
    said = subprocess.run([node, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    major = said.removeprefix("v").split(".")[0]
    if not major.isdigit() or int(major) < OLDEST:
        raise Unavailable(f"this machine's node is {said or 'broken'}; {OLDEST} or later is needed")
    return npm


def hash_of(files: list[Path]) -> str:
    """Of what the files hold, and of what they are called."""
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.parent.name}/{file.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def install(folder: Path) -> None:
    """`npm ci` in `folder`, unless what its lock file names is there already."""
    npm = require()
    lock = hash_of([folder / name for name in MANIFESTS])
    stamp = folder / "node_modules" / ".installed"
    if stamp.exists() and stamp.read_text() == lock:
        return
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        _run(command, folder, timeout=300)
    except (OSError, subprocess.SubprocessError) as problem:
        raise Unavailable(f"npm ci: {problem}") from problem
    stamp.write_text(lock)


def run(folder: Path, script: str) -> None:
    """A script of the folder's package.json; what it says goes to our stderr."""
    try:
        _run([require(), "run", "--silent", script], folder, timeout=600)
    except (OSError, subprocess.SubprocessError) as problem:
        raise Failed(f"npm run {script} in {folder}: {problem}") from problem


def _run(command: list[str], folder: Path, timeout: float) -> None:
    print(f"+ {' '.join(command)}  # {folder.name}", file=sys.stderr, flush=True)
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=timeout)
